import { OperationError } from '../../host/errors.ts';
import type { Signal } from '../../host/host.ts';
import type { Journal } from '../../journal/journal.ts';
import type { ValidationFact } from '../record/events.ts';
import type { Site } from '../site.ts';

/** What ends a run before its time. */
export interface Interruption {
  /** Stop acting, undo, end. */
  readonly signal: AbortSignal;
  /** A second signal came: stop waiting as well. */
  readonly hurry: AbortSignal;
  /** The run must not go on; the reason becomes its failure. */
  readonly fail: (reason: unknown) => void;
  /** The run is not to go on: more downtime than was allowed. */
  readonly abort: (because: string) => void;
  /** Whether the journal says already why the run ended. */
  readonly isTold: () => boolean;
  readonly stop: () => void;
}

/** Listens for the operating system's signals. The first one stops acting and starts undoing; nothing that is written is lost. */
export function listenForInterruption({ host }: Site, journal: Pick<Journal<ValidationFact>, 'record'>): Interruption {
  const acting = new AbortController();
  const waiting = new AbortController();
  let told = false;
  let signals = 0;
  const end = (reason: string, fact: Parameters<typeof journal.record>[0]): void => {
    if (acting.signal.aborted) return;
    told = true;
    journal.record(fact);
    acting.abort(new OperationError({ tried: 'Running', on: 'the procedure', reason }));
  };
  const stop = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], (name: Signal) => {
    signals += 1;
    // A run that ended by itself is undone in peace at the first one.
    if (signals > 1) waiting.abort();
    end(`stopped by ${name}`, { type: 'run-interrupted', signal: name });
  });
  return {
    signal: acting.signal,
    hurry: waiting.signal,
    fail: (reason) => acting.abort(reason),
    abort: (because) => end(because, { type: 'run-aborted', because }),
    isTold: () => told,
    stop,
  };
}
