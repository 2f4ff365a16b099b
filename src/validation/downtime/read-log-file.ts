import { decompressed, isCompressed } from '../../host/decompressed.ts';
import type { Files } from '../../host/host.ts';
import { headerFirst } from '../downtime-log/header-first.ts';
import type { LogReader } from '../downtime-log/log-reader.ts';
import type { JudgeSettings } from './judged-log.ts';
import { type LogFiles, readPlainLog } from './read-plain-log.ts';
import { type TimeWindow, windowBytes } from './window-bytes.ts';

/** What is read of a file. */
export interface Wanted extends JudgeSettings, TimeWindow {
  /** Skips the bytes before this one, for a log to which a monitor appends. */
  readonly fromByte?: number;
}

/** Reads a downtime log as a part of a longer one: plain, compressed by gzip or zstd, or from standard input (`-`). */
export async function readLogFile(from: LogFiles, path: string, whole: LogReader, wanted: Wanted): Promise<void> {
  const { files, input } = from;
  const reader = headerFirst(whole);
  if (path === '-' && input !== undefined) await pushAll(decompressed('standard input', input), reader);
  else if (await hasCompressed(files, path)) await pushAll(decompressed(path, files.chunks(path)), reader);
  else await readPlain(from, path, reader, wanted);
  reader.endFile();
}

async function hasCompressed(files: Files, path: string): Promise<boolean> {
  for await (const chunk of files.chunks(path)) return isCompressed(chunk);
  return false;
}

async function readPlain(from: LogFiles, path: string, reader: LogReader, wanted: Wanted): Promise<void> {
  const { files } = from;
  const toByte = (await files.stat((await files.realPath(path)) ?? path))?.sizeBytes ?? 0;
  const range = { path, fromByte: wanted.fromByte ?? 0, toByte };
  const part = await windowBytes(files, range, wanted);
  for (const line of part.before) reader.push(new TextEncoder().encode(`${line}\n`));
  await readPlainLog(from, part.range, reader, wanted);
}

async function pushAll(chunks: AsyncIterable<Uint8Array>, reader: LogReader): Promise<void> {
  for await (const chunk of chunks) reader.push(chunk);
}
