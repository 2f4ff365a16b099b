import type { Files } from '../host/host.ts';
import { runFiles } from '../validation/record/run-folder.ts';
import { type Evidence, evidenceReader } from './evidence.ts';

/** A run folder that may still be written. */
export interface FollowedRun {
  /** Reads on to the ends of the files; who asks while a reading is under way waits for that one. */
  readonly look: () => Promise<void>;
  readonly readBytes: () => number;
  /** When one of the files was written last, epoch milliseconds by this machine's clock; 0 before there is one. */
  readonly writtenAt: () => number;
  readonly evidence: () => Evidence;
}

/** Reads the folder's two files, and of them each time only what was appended. A file that is not there is empty. */
export function followRun(files: Pick<Files, 'chunks' | 'stat'>, folder: string): FollowedRun {
  const reader = evidenceReader();
  const followed = [
    { path: `${folder}/${runFiles.journal}`, take: reader.journal, readBytes: 0, writtenAt: 0 },
    { path: `${folder}/${runFiles.downtimeLog}`, take: reader.downtimeLog, readBytes: 0, writtenAt: 0 },
  ];
  const readOn = async (): Promise<void> => {
    // The log last: a fact is then never ahead of the samples that came before it.
    for (const file of followed) await readAppended(files, file);
  };
  let looking: Promise<void> | undefined;
  return {
    look: () => {
      looking ??= readOn().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    readBytes: () => followed.reduce((sum, { readBytes }) => sum + readBytes, 0),
    writtenAt: () => Math.max(...followed.map(({ writtenAt }) => writtenAt)),
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
    // The piece is gone when the next one is asked for.
    file.take(chunk.slice());
  }
}
