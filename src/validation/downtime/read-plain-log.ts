import { aheadOfTurn } from '../../host/ahead-of-turn.ts';
import type { Files, Host } from '../../host/host.ts';
import type { Threads } from '../../host/thread.ts';
import { type LogHeader, parseHeader } from '../downtime-log/downtime-log.ts';
import {
  type ByteRange,
  bytesOf,
  type FindPieces,
  type LogPiece,
  pieceFinder,
  pieceFinderThread,
} from '../downtime-log/log-pieces.ts';
import type { LogReader } from '../downtime-log/log-reader.ts';
import type { QuietRun, QuietSettings } from '../downtime-log/quiet-run.ts';

import type { JudgeSettings } from './judged-log.ts';

export interface LogFiles {
  readonly files: Files;
  /** Without it, everything is done in this thread. */
  readonly threads?: Host['threads'] | undefined;
  /** Standard input. */
  readonly input?: AsyncIterable<Uint8Array>;
}

/**
 * Of this size it is still in the processor's cache when it is looked at, and large enough that little is said between
 * threads.
 */
const partBytes = 2 * 1024 * 1024;
/** A smaller file is read before a thread has begun. */
const worthThreadBytes = 64 * 1024 * 1024;
/** More threads would need more memory than they save time. */
const mostThreads = 3;
const lineEnd = 10;

/**
 * Reads a part of a file that is not compressed. Where the log is that of one target, its quiet runs are found, in
 * several threads if it is large, and only the lines between them are read one by one. The result is the same as if all
 * of them had been read.
 */
export async function readPlainLog(
  from: LogFiles,
  range: ByteRange,
  reader: LogReader,
  settings: JudgeSettings,
): Promise<void> {
  const header = await firstHeader(from.files, range);
  if (header === undefined) return readLines(from.files, range, reader);
  const parts = partsOf(range);
  let next = 0;
  for await (const pieces of piecesOf(from, parts, quietSettings(header, settings))) {
    const part = parts[next++] as ByteRange;
    const refused = readPieces(pieces, reader);
    if (refused !== undefined) await readLines(from.files, { ...part, fromByte: refused.fromByte }, reader);
  }
}

async function readLines(files: Files, range: ByteRange, reader: LogReader): Promise<void> {
  for await (const chunk of bytesOf(files, range)) reader.push(chunk);
}

/** Returns the run whose lines, and those behind it, have to be read one by one. */
function readPieces(pieces: readonly LogPiece[], reader: LogReader): QuietRun | undefined {
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) reader.push(piece);
    else if (!reader.quiet(piece)) return piece;
  }
  return undefined;
}

function partsOf({ path, fromByte, toByte }: ByteRange): readonly ByteRange[] {
  const count = Math.ceil((toByte - fromByte) / partBytes);
  const cut = (index: number) => Math.min(fromByte + index * partBytes, toByte);
  return Array.from({ length: count }, (_, index) => ({ path, fromByte: cut(index), toByte: cut(index + 1) }));
}

/** The pieces of each part, in their order, found by this thread and others. */
async function* piecesOf(
  { files, threads }: LogFiles,
  parts: readonly ByteRange[],
  settings: QuietSettings,
): AsyncGenerator<readonly LogPiece[]> {
  const path = parts[0]?.path ?? '';
  const others = startThreads(threads, parts, { path, settings });
  const file = await files.open(path);
  try {
    const find = pieceFinder(file, settings);
    const work = (of: FindPieces) => (index: number) => of(parts[index] as ByteRange);
    yield* aheadOfTurn(
      parts.length,
      work(find),
      others.map(async (other) => work((await other).ask)),
    );
  } finally {
    for (const other of others)
      other.then(
        ({ end }) => end(),
        () => {},
      );
    await file.close();
  }
}

function startThreads(
  threads: LogFiles['threads'],
  parts: readonly ByteRange[],
  of: { readonly path: string; readonly settings: QuietSettings },
) {
  const isWorthIt = threads !== undefined && parts.length * partBytes >= worthThreadBytes;
  const count = isWorthIt ? Math.min(threads.processors - 1, mostThreads) : 0;
  return Array.from({ length: count }, () => pieceFinderThread(threads as Threads, of));
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
