import { type OpenFile, openFile } from '../../host/open-file.ts';
import type { Thread, Threads } from '../../host/thread.ts';
import type { QuietRun, QuietSettings } from './quiet-run.ts';
import { quietScanner } from './quiet-scanner.ts';

/** A part of a file. */
export interface ByteRange {
  readonly path: string;
  readonly fromByte: number;
  readonly toByte: number;
}

/**
 * Lines as they stand in the file, of which the first and the last may be torn, or a quiet run instead of its lines.
 */
export type LogPiece = Uint8Array | QuietRun;

/** Finds the pieces of a part of the file, in their order. */
export type FindPieces = (part: ByteRange) => Promise<readonly LogPiece[]>;

export function pieceFinder(file: OpenFile, settings: QuietSettings): FindPieces {
  const quietRuns = quietScanner(settings);
  return async ({ fromByte, toByte }) => {
    const bytes = await file.read(fromByte, toByte);
    return pieces(bytes, fromByte, quietRuns(bytes, fromByte));
  };
}

/** The lines between the runs are copied, into one piece of memory: the next part overwrites the bytes. */
function pieces(bytes: Uint8Array, position: number, runs: readonly QuietRun[]): LogPiece[] {
  const quiet = runs.reduce((sum, { fromByte, toByte }) => sum + toByte - fromByte, 0);
  const kept = new Uint8Array(bytes.length - quiet);
  const found: LogPiece[] = [];
  let [from, used] = [0, 0];
  const keep = (to: number) => {
    kept.set(bytes.subarray(from, to), used);
    found.push(kept.subarray(used, used + to - from));
    used += to - from;
  };
  for (const run of runs) {
    keep(run.fromByte - position);
    found.push(run);
    from = run.toByte - position;
  }
  keep(bytes.length);
  return found;
}

interface FinderOf {
  readonly path: string;
  readonly settings: QuietSettings;
}

/** The same in a thread of its own. */
export const pieceFinderThread = ({ start }: Threads, of: FinderOf): Promise<Thread<ByteRange, readonly LogPiece[]>> =>
  start(import.meta.resolve(`./log-pieces.${ownType}`), 'pieceFinderOf', of);

/** The sources are TypeScript, the build is not: both have this file. */
const ownType = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Called in the thread. */
export const pieceFinderOf = async ({ path, settings }: FinderOf): Promise<FindPieces> =>
  pieceFinder(await openFile(path), settings);

/** The bytes of the range. */
export async function* bytesOf(
  files: { readonly chunks: (path: string, fromByte: number) => AsyncIterable<Uint8Array> },
  { path, fromByte, toByte }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let left = toByte - fromByte;
  if (left <= 0) return;
  for await (const chunk of files.chunks(path, fromByte)) {
    yield chunk.length > left ? chunk.subarray(0, left) : chunk;
    left -= chunk.length;
    if (left <= 0) return;
  }
}
