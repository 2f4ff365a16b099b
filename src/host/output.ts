import type { Output } from './host.ts';

/** A terminal of unknown width is taken to be as wide as the one that POSIX's `ls` assumes. */
const USUAL_COLUMNS = 80;

/** One of the process's two outputs. A reader (`| head`) or a terminal that went away is no error: nobody is there to be told. */
export function output(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
  return {
    write: (text) => {
      stream.write(text);
    },
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns ?? USUAL_COLUMNS;
    },
  };
}
