import { nodeFiles } from '../../src/host/files.ts';
import type { Host, Signal } from '../../src/host/host.ts';

/** A real host without a terminal; the test sends its signals. */
export function quietHost(): Pick<Host, 'files' | 'out' | 'talk' | 'onSignal'> & {
  readonly send: (name: Signal) => void;
} {
  const output = { write: () => {}, isTTY: false, columns: 80, rows: 24 };
  const listeners = new Set<(name: Signal) => void>();
  return {
    files: nodeFiles(),
    out: output,
    talk: output,
    onSignal(_names, listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send: (name) => {
      for (const listener of listeners) listener(name);
    },
  };
}
