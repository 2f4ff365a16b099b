import { createInterface } from 'node:readline';
import type { Input } from './host.ts';
import { systemError } from './system-error.ts';

/** The process's standard input, which is touched only when it is read. */
export function standardInput(stream: () => NodeJS.ReadStream): Input {
  return {
    get isTTY() {
      return stream().isTTY === true;
    },
    line: (signal) => nextLine(stream(), signal),
    chunks: (signal) => pieces(stream(), signal),
  };
}

function nextLine(stream: NodeJS.ReadStream, signal: AbortSignal | undefined): Promise<string | undefined> {
  const lines = createInterface({ input: stream });
  return new Promise((resolve) => {
    const stop = () => lines.close();
    lines.once('close', () => {
      signal?.removeEventListener('abort', stop);
      resolve(undefined);
    });
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}

async function* pieces(stream: NodeJS.ReadStream, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = () => stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (!signal.aborted) for await (const piece of stream) yield Buffer.from(piece);
  } catch (error) {
    if (signal.aborted) return;
    throw systemError('Reading', 'standard input', error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
