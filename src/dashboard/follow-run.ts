import type { Files } from '../host/host.ts';
import { runFiles } from '../validation/record/run-folder.ts';
import { type Evidence, evidenceReader } from './evidence.ts';

/** A run folder that may still be written to. */
export interface FollowedRun {
  /** Reads the new parts of the files; a call during another one waits for that one. */
  readonly look: () => Promise<void>;
  readonly readBytes: () => number;
  /** When one of the files was last written, epoch milliseconds by this machine's clock; 0 without a file. */
  readonly writtenAt: () => number;
  readonly evidence: () => Evidence;
}

/**
 * Reads the journal and the downtime log, or that of each vantage point, each time only the part that was appended. A
 * missing file is empty.
 */
export function followRun(files: Pick<Files, 'chunks' | 'stat'>, folder: string): FollowedRun {
  const reader = evidenceReader();
  const followed = new Map<string, FollowedFile>();
  const fileOf = (name: string, take: FollowedFile['take']): FollowedFile => {
    const file = followed.get(name) ?? { path: `${folder}/${name}`, take, readBytes: 0, writtenAt: 0 };
    followed.set(name, file);
    return file;
  };
  const readOn = async (): Promise<void> => {
    await readAppended(files, fileOf(runFiles.journal, reader.journal));
    // The logs last, so that samples from before a fact are read with it.
    for (const name of reader.logFiles())
      await readAppended(
        files,
        fileOf(name, (chunk) => reader.downtimeLog(chunk, name)),
      );
  };
  let looking: Promise<void> | undefined;
  return {
    look: () => {
      looking ??= readOn().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    readBytes: () => [...followed.values()].reduce((sum, { readBytes }) => sum + readBytes, 0),
    writtenAt: () => Math.max(0, ...followed.values().map(({ writtenAt }) => writtenAt)),
    evidence: reader.read,
  };
}

interface FollowedFile {
  readonly path: string;
  readonly take: (chunk: Uint8Array) => void;
  readBytes: number;
  writtenAt: number;
}

async function readAppended(files: Pick<Files, 'chunks' | 'stat'>, file: FollowedFile): Promise<void> {
  const stat = await files.stat(file.path);
  file.writtenAt = stat?.modifiedAt ?? 0;
  if (stat === undefined || stat.sizeBytes <= file.readBytes) return;
  for await (const chunk of files.chunks(file.path, file.readBytes)) {
    file.readBytes += chunk.length;
    // A copy, since the next chunk reuses the memory of this one; `slice` of a Buffer would be none.
    file.take(new Uint8Array(chunk));
  }
}
