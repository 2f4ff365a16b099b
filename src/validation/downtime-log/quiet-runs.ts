import { nodeFiles } from '../../host/files.ts';
import type { Files, Host } from '../../host/host.ts';
import type { QuietRun, QuietSettings } from './quiet-run.ts';
import { quietScanner } from './quiet-scanner.ts';

/** A part of a file that begins and ends between two lines. */
export interface ByteRange {
  readonly path: string;
  readonly fromByte: number;
  readonly toByte: number;
}

/** Finds the quiet runs in a part of a log, whose own lines around them have to be read as they are. */
export async function quietRuns(files: Files, range: ByteRange, settings: QuietSettings): Promise<QuietRun[]> {
  const runs: QuietRun[] = [];
  const scanner = quietScanner(settings, range.fromByte, (run) => runs.push(run));
  for await (const chunk of bytesOf(files, range)) scanner.push(chunk);
  scanner.end();
  return runs;
}

/** The bytes of the range. */
export async function* bytesOf(files: Files, { path, fromByte, toByte }: ByteRange): AsyncGenerator<Uint8Array> {
  let left = toByte - fromByte;
  if (left <= 0) return;
  for await (const chunk of files.chunks(path, fromByte)) {
    yield chunk.length > left ? chunk.subarray(0, left) : chunk;
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/** The same in a thread of its own. */
export function quietRunsInThread(
  { call }: NonNullable<Host['threads']>,
  range: ByteRange,
  settings: QuietSettings,
): Promise<QuietRun[]> {
  return call(import.meta.resolve(`./quiet-runs.${ownType}`), 'quietRunsOf', { range, settings });
}

/** The sources are TypeScript, the build is not: both have this file. */
const ownType = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Called in the thread. */
export const quietRunsOf = ({ range, settings }: { readonly range: ByteRange; readonly settings: QuietSettings }) =>
  quietRuns(nodeFiles(), range, settings);
