import type { Clock } from '../../host/host.ts';
import { type Notifier, notify } from '../../notification/notifier.ts';
import type { Turn } from '../../validation/monitor/outage-watch.ts';
import { turnsMessage } from './outage-messages.ts';

/** What begins or ends within this time is one message: a network that is gone takes many targets down at once. */
const togetherSeconds = 2;

/** Sends messages of outages, one after the other, so that a slow channel does not keep the probes waiting. */
export interface Telling {
  readonly take: (turn: Turn) => void;
  /** Resolves when all that was taken is sent, or could not be. */
  readonly end: () => Promise<void>;
}

/** `say` is called with a sentence for each message that a channel did not take. */
export function tellTurns(
  clock: Pick<Clock, 'sleep'>,
  notifiers: readonly Notifier[],
  say: (sentence: string) => void,
): Telling {
  let waiting: Turn[] = [];
  let sending: Promise<void> | undefined;
  const ending = new AbortController();
  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      await clock.sleep(togetherSeconds, ending.signal).catch(() => undefined);
      const turns = waiting;
      waiting = [];
      for (const { channel, ok, error } of await notify(notifiers, turnsMessage(turns)))
        if (!ok) say(`No message went to ${channel}: ${error}`);
    }
    sending = undefined;
  };
  return {
    take: (turn) => {
      if (notifiers.length === 0) return;
      waiting.push(turn);
      sending ??= send();
    },
    end: async () => {
      ending.abort();
      await sending;
    },
  };
}
