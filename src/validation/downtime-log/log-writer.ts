import type { Appender, Files } from '../../host/host.ts';
import { TORN } from './downtime-log.ts';

/** A downtime log open for writing. */
export interface LogWriter {
  /** One write of one line, in the order of the calls. */
  readonly line: (text: string) => void;
  /** Returns when all lines so far are written; rejects when one could not be. */
  readonly written: () => Promise<void>;
  /** The same, on disk, and nothing can be written any more. */
  readonly close: () => Promise<void>;
}

const LINE_END = 10;

/** Opens a log to append to it; a line that an earlier monitor left torn is marked, so that it swallows nothing. `failed` hears of the first failure. */
export async function logWriter(files: Files, path: string, failed: (error: unknown) => void): Promise<LogWriter> {
  const appender = await files.append(path);
  if (await endsTorn(files, path)) await appender.write(TORN);
  let failure: { readonly error: unknown } | undefined;
  let last: Promise<void> = Promise.resolve();
  const fail = (error: unknown) => {
    if (failure !== undefined) return;
    failure = { error };
    failed(error);
  };
  const written = async () => {
    await last;
    if (failure !== undefined) throw failure.error;
  };
  return {
    line: (text) => {
      last = appender.write(text).catch(fail);
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

async function endsTorn(files: Files, path: string): Promise<boolean> {
  const size = (await files.stat(path))?.sizeBytes ?? 0;
  if (size === 0) return false;
  for await (const chunk of files.chunks(path, size - 1)) return chunk[0] !== LINE_END;
  return false;
}
