import { OperationError } from '../host/errors.ts';
import type { Files } from '../host/host.ts';

/** What keeps `--downtime-log` from being followed, one sentence: nothing of a run may begin without its evidence. `-` is standard input. */
export async function downtimeLogMistakes(files: Files, path: string | undefined): Promise<readonly string[]> {
  if (path === undefined || path === '-') return [];
  const because = await trouble(files, path);
  return because === undefined
    ? []
    : [`--downtime-log ${path} ${because}: name the log of a monitor that runs, or - and send it to standard input.`];
}

async function trouble(files: Files, path: string): Promise<string | undefined> {
  const real = await files.realPath(path);
  const kind = (await files.stat(real ?? path))?.kind;
  if (kind === undefined) return 'is not there';
  if (kind === 'folder') return 'is a folder';
  // A pipe, which is read to its end before anything of it is heard, or a link to one, or to nothing.
  return kind === 'file' ? unreadable(files, path) : 'is no file that grows';
}

async function unreadable(files: Files, path: string): Promise<string | undefined> {
  try {
    for await (const _ of files.chunks(path)) break;
    return undefined;
  } catch (error) {
    if (error instanceof OperationError) return `cannot be read (${error.failure.cameBack})`;
    throw error;
  }
}
