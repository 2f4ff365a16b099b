import type { Output } from './host.ts';

/** A terminal of unknown width is taken to be as wide as the one that POSIX's `ls` assumes. */
const USUAL_COLUMNS = 80;

/**
 * One of the process's two outputs. What cannot be written is lost, and ends nothing: what was begun has to be undone and reported whoever
 * listens. `lost` hears of it, unless it was a reader (`| head`) or a terminal that went away: nobody is there to be told.
 */
export function output(stream: NodeJS.WriteStream, lost: (error: Error) => void = () => {}): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') lost(error);
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
