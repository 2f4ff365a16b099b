import type { Appender, Files } from '../../host/host.ts';
import { tornMark } from './downtime-log.ts';

/** A downtime log open for writing. */
export interface LogWriter {
  /**
   * Writes the line with one `write`, in the order of the calls. One that is not urgent waits for the next one that is.
   */
  readonly line: (text: string, urgent?: boolean) => void;
  /** Resolves when all lines so far are written; rejects if one could not be. */
  readonly written: () => Promise<void>;
  /** Resolves when all lines are on disk and the file is closed; rejects if a line could not be written. */
  readonly close: () => Promise<void>;
}

const lineEnd = 10;

/**
 * Opens a log to append to it. If its last line is torn, because an earlier monitor was killed, that line is ended and
 * marked as torn first. `onFailure` is called once, with the first write that failed.
 */
export async function logWriter(files: Files, path: string, onFailure: (error: unknown) => void): Promise<LogWriter> {
  const appender = await files.append(path);
  if (await endsTorn(files, path)) await appender.write(tornMark);
  let failure: { readonly error: unknown } | undefined;
  let last: Promise<void> = Promise.resolve();
  const fail = (error: unknown) => {
    if (failure !== undefined) return;
    failure = { error };
    onFailure(error);
  };
  let waiting = '';
  const write = (text: string) => {
    const all = waiting + text;
    waiting = '';
    if (all !== '') last = appender.write(all).catch(fail);
  };
  const written = async () => {
    write('');
    await last;
    if (failure !== undefined) throw failure.error;
  };
  return {
    line: (text, urgent = true) => {
      if (urgent) write(text);
      else waiting += text;
    },
    written,
    close: () => closed(appender, written),
  };
}

async function closed(appender: Appender, written: () => Promise<void>): Promise<void> {
  try {
    await written();
    await appender.sync();
  } finally {
    await appender.close();
  }
}

/** Whether the file ends in the middle of a line. */
export async function endsTorn(files: Files, path: string): Promise<boolean> {
  const size = (await files.stat(path))?.sizeBytes ?? 0;
  if (size === 0) return false;
  for await (const chunk of files.chunks(path, size - 1)) return chunk[0] !== lineEnd;
  return false;
}
