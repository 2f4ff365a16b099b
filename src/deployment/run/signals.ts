import { OperationError } from '../../host/errors.ts';
import type { Host, Signal } from '../../host/host.ts';

/** The signals that have come during a run. */
export interface Signals {
  /** The first that asks the run to stop. */
  readonly received: () => Signal | undefined;
  /** Aborted by it. */
  readonly interruption: AbortSignal;
  readonly forget: () => void;
}

/** Listens from now on. A lost terminal or SSH connection (SIGHUP) stops nothing. */
export function listenForSignals(host: Pick<Host, 'onSignal' | 'talk'>): Signals {
  const interruption = new AbortController();
  let received: Signal | undefined;
  const forget = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], (name) => {
    if (name === 'SIGHUP') return;
    if (received === undefined) {
      received = name;
      host.talk.write(`${name}: stopping; what was changed is put back, or finished, first\n`);
      interruption.abort(new OperationError({ tried: 'Deploying', on: 'the checkout', reason: `${name} came` }));
      return;
    }
    host.talk.write(`${name} again: the next one ends it at once, and the next deploy repairs what that leaves\n`);
    forget();
  });
  return { received: () => received, interruption: interruption.signal, forget };
}
