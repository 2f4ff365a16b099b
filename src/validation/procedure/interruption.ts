import { OperationError } from '../../host/errors.ts';
import type { Signal } from '../../host/host.ts';
import type { Journal } from '../../journal/journal.ts';
import type { ValidationFact } from '../record/events.ts';
import type { Site } from '../site.ts';

/** What ends a run early. */
export interface Interruption {
  /** Aborted when the run must stop acting, undo everything and end. */
  readonly signal: AbortSignal;
  /** Aborted by a second signal of the operating system: stop waiting as well. */
  readonly hurry: AbortSignal;
  /** Ends the run with this error, which the caller records as its failure. */
  readonly fail: (reason: unknown) => void;
  /** Ends the run because of too much downtime, and records that. */
  readonly abort: (because: string) => void;
  /** Whether the journal already has the reason why the run ended. */
  readonly isRecorded: () => boolean;
  /** Stops listening for signals. */
  readonly stop: () => void;
}

/**
 * Listens for the operating system's signals. The first one stops acting and starts undoing; nothing that is written is
 * lost.
 */
export function listenForInterruption({ host }: Site, journal: Pick<Journal<ValidationFact>, 'record'>): Interruption {
  const acting = new AbortController();
  const waiting = new AbortController();
  let isRecorded = false;
  let signals = 0;
  const end = (reason: string, fact: Parameters<typeof journal.record>[0]): void => {
    if (acting.signal.aborted) return;
    isRecorded = true;
    journal.record(fact);
    acting.abort(new OperationError({ tried: 'Running', on: 'the procedure', reason }));
  };
  const stop = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], (name: Signal) => {
    signals += 1;
    // Counted, because a run that has already ended by itself must not hurry its undo at the first signal.
    if (signals > 1) waiting.abort();
    end(`stopped by ${name}`, { type: 'run-interrupted', signal: name });
  });
  return {
    signal: acting.signal,
    hurry: waiting.signal,
    fail: (reason) => acting.abort(reason),
    abort: (because) => end(because, { type: 'run-aborted', because }),
    isRecorded: () => isRecorded,
    stop,
  };
}
