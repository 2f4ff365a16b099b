import { OperationError } from './errors.ts';
import type { Output } from './host.ts';
import { visible } from './visible.ts';

/** The assumed size of a terminal that does not report it (POSIX, `COLUMNS` and `LINES`). */
const defaultColumns = 80;
const defaultRows = 24;

/**
 * One of the process's two outputs. A failed write loses its text and does not end the process: a run must be undone
 * and reported even if nobody reads the output. `lost` is called with the error, unless the reader (`| head`) or the
 * terminal went away.
 */
export function output(stream: NodeJS.WriteStream, lost: (error: Error) => void = () => {}): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') lost(error);
  });
  return {
    write: (text) => {
      stream.write(visible(text));
    },
    draw: (text) => {
      stream.write(text);
    },
    written: (text) =>
      new Promise((resolve, reject) => {
        stream.write(visible(text), (error) => (error ? reject(unwritten(error)) : resolve()));
      }),
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      askSize(stream);
      return stream.columns ?? defaultColumns;
    },
    get rows() {
      askSize(stream);
      return stream.rows ?? defaultRows;
    },
  };
}

function unwritten(error: NodeJS.ErrnoException): OperationError {
  // A stream that has failed once is destroyed.
  const isGone = ['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED'].includes(error.code ?? '');
  const reason = isGone ? 'nobody reads it any more' : error.message;
  return new OperationError({ tried: 'Writing', on: 'the output', reason }, { cause: error });
}

/** Node learns of a new size by a signal, which a busy process handles late: the terminal itself is asked. */
function askSize(stream: NodeJS.WriteStream & { readonly _refreshSize?: () => void }): void {
  if (stream.isTTY) stream._refreshSize?.();
}
