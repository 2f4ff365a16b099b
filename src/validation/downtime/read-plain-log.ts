import type { Files, Host } from '../../host/host.ts';
import { type LogHeader, parseHeader } from '../downtime-log/downtime-log.ts';
import type { LogReader } from '../downtime-log/log-reader.ts';
import type { QuietRun, QuietSettings } from '../downtime-log/quiet-run.ts';
import { type ByteRange, bytesOf, quietRuns, quietRunsInThread } from '../downtime-log/quiet-runs.ts';
import type { JudgeSettings } from './judged-log.ts';

export interface LogFiles {
  readonly files: Files;
  /** Without it, everything is done in this thread. */
  readonly threads?: Host['threads'] | undefined;
  /** Standard input. */
  readonly input?: AsyncIterable<Uint8Array>;
}

/** A smaller part is read before a thread has begun. */
const leastBytes = 32 * 1024 * 1024;
const worthSkippingBytes = 8 * 1024 * 1024;
/** More threads would need more memory than they save time. */
const mostThreads = 4;
const lineEnd = 10;

/**
 * Reads a part of a file that is not compressed. Where the log is that of one target, its quiet runs are found first, in several threads if it is
 * large, and only the lines between them are read one by one. The reader is told the same as if it had read all of them.
 */
export async function readPlainLog(
  { files, threads }: LogFiles,
  range: ByteRange,
  reader: LogReader,
  settings: JudgeSettings,
): Promise<void> {
  const header = await firstHeader(files, range);
  if (header === undefined) return readAround(files, range, [], reader);
  for (const { part, runs } of await runsIn({ files, threads }, range, quietSettings(header, settings)))
    await readAround(files, part, await runs, reader);
}

/** Reads the file once more, in one go, and passes over the runs that the reader takes. Each is forgotten then, because there may be very many. */
async function readAround(
  files: Files,
  range: ByteRange,
  runs: (QuietRun | undefined)[],
  reader: LogReader,
): Promise<void> {
  let position = range.fromByte;
  let next = 0;
  let skipTo = position;
  const pushUpTo = (chunk: Uint8Array, chunkAt: number, end: number) => {
    if (end > position) reader.push(chunk.subarray(position - chunkAt, end - chunkAt));
    position = Math.max(position, end);
  };
  for await (const { chunk, at } of pieces(files, range, () => skipTo)) {
    const end = at + chunk.length;
    position = Math.max(position, Math.min(skipTo, end));
    for (let run = runs[next]; run !== undefined && run.fromByte < end; run = runs[++next]) {
      runs[next] = undefined;
      pushUpTo(chunk, at, run.fromByte);
      if (!reader.quiet(run)) continue;
      skipTo = run.toByte;
      position = Math.min(skipTo, end);
    }
    pushUpTo(chunk, at, end);
  }
}

/** Opens the file again only to pass over more than it would read in the meantime. */
async function* pieces(
  files: Files,
  range: ByteRange,
  skipTo: () => number,
): AsyncGenerator<{ readonly chunk: Uint8Array; readonly at: number }> {
  for (let at = range.fromByte; at < range.toByte; at = Math.max(at, skipTo())) {
    for await (const chunk of bytesOf(files, { ...range, fromByte: at })) {
      yield { chunk, at };
      at += chunk.length;
      if (skipTo() - at > worthSkippingBytes) break;
    }
    if (skipTo() <= at) return;
  }
}

const quietSettings = (header: LogHeader, given: JudgeSettings): QuietSettings => ({
  intervalSeconds: header.intervalSeconds,
  timeoutSeconds: header.timeoutSeconds,
  slowSeconds: given.slowSeconds ?? header.slowSeconds,
  expect: given.expect ?? header.expect,
});

/** The header at the beginning, if it is that of a single target. The lines of other logs are never quiet. */
async function firstHeader(files: Files, range: ByteRange): Promise<LogHeader | undefined> {
  for await (const chunk of bytesOf(files, range)) {
    const header = parseHeader(Buffer.from(chunk.subarray(0, chunk.indexOf(lineEnd))).toString());
    if (header === undefined || 'version' in header) return undefined;
    return header.targets.length === 1 && header.control === undefined ? header : undefined;
  }
  return undefined;
}

interface Part {
  readonly part: ByteRange;
  /** Forgotten one by one as they are read. */
  readonly runs: Promise<(QuietRun | undefined)[]>;
}

/** This thread searches the first part; while it reads what lies around its runs, the others go on. */
async function runsIn({ files, threads }: LogFiles, range: ByteRange, settings: QuietSettings): Promise<Part[]> {
  const most = Math.min(threads?.processors ?? 1, mostThreads);
  const parts = await split(files, range, Math.max(1, Math.min(most, Math.floor(sizeOf(range) / leastBytes))));
  return parts.map((part, index) => {
    const isHere = index === 0 || threads === undefined;
    const runs = isHere ? quietRuns(files, part, settings) : quietRunsInThread(threads, part, settings);
    // Its failure is met when its turn comes.
    runs.catch(() => {});
    return { part, runs };
  });
}

const sizeOf = ({ fromByte, toByte }: ByteRange): number => toByte - fromByte;

/** Parts of about the same size, each of whole lines. */
async function split(files: Files, range: ByteRange, count: number): Promise<readonly ByteRange[]> {
  const cuts = [range.fromByte];
  for (let part = 1; part < count; part++) {
    const near = range.fromByte + Math.floor((sizeOf(range) * part) / count);
    cuts.push(await lineAfter(files, { ...range, fromByte: Math.max(near, cuts.at(-1) ?? 0) }));
  }
  return cuts.map((fromByte, index) => ({ ...range, fromByte, toByte: cuts[index + 1] ?? range.toByte }));
}

/** Where the first line begins after the range's beginning; the range's end if none does. */
export async function lineAfter(files: Files, range: ByteRange): Promise<number> {
  let position = range.fromByte;
  for await (const chunk of bytesOf(files, range)) {
    const end = chunk.indexOf(lineEnd);
    if (end >= 0) return position + end + 1;
    position += chunk.length;
  }
  return range.toByte;
}
