import { OperationError } from '../../host/errors.ts';
import type { Host, Signal } from '../../host/host.ts';

/** The signals that arrived during a run. */
export interface Signals {
  /** The first SIGINT or SIGTERM. */
  readonly received: () => Signal | undefined;
  /** Aborted by that signal. */
  readonly interruption: AbortSignal;
  readonly forget: () => void;
}

/** Listens until `forget`. A lost terminal or SSH connection (SIGHUP) stops nothing. */
export function listenForSignals(host: Pick<Host, 'onSignal' | 'talk'>): Signals {
  const interruption = new AbortController();
  let received: Signal | undefined;
  const forget = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], (name) => {
    if (name === 'SIGHUP') return;
    if (received === undefined) {
      received = name;
      host.talk.write(`${name}: stopping, after what was changed is undone or finished\n`);
      interruption.abort(new OperationError({ tried: 'Deploying', on: 'the checkout', reason: `${name} came` }));
      return;
    }
    host.talk.write(`${name} again: one more ends holdfast at once, and the next deploy then repairs what is left\n`);
    forget();
  });
  return { received: () => received, interruption: interruption.signal, forget };
}
