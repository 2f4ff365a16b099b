import type { Host } from '../../host/host.ts';

/** The name of a log that goes to standard output, as for `kubectl logs` and for a pipe. */
export const onOutput = '-';

/**
 * Files in which the log is standard output: each line is written as it comes, and nothing of it is read back. A line
 * that nobody reads is an `OperationError`.
 */
export function filesOnOutput({ files, out }: Pick<Host, 'files' | 'out'>): Host['files'] {
  return {
    ...files,
    stat: async () => undefined,
    append: async () => ({
      write: async (text) => (out.written === undefined ? out.write(text) : out.written(text)),
      sync: async () => {},
      close: async () => {},
    }),
  };
}
