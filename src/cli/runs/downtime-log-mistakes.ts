import { OperationError } from '../../host/errors.ts';
import type { Files } from '../../host/host.ts';
import { hasEnded } from '../../validation/downtime-log/log-facts.ts';

/** More than `# end` and its instant take. */
const lastLineBytes = 200;

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
  const { kind, sizeBytes: size = 0 } = (await files.stat(real ?? path)) ?? {};
  if (kind === undefined) return 'is not there';
  if (kind === 'folder') return 'is a folder';
  // A pipe, which is read to its end before anything of it is heard, or a link to one, or to nothing.
  return kind === 'file' ? troubleWithin(files, path, size) : 'is no file that grows';
}

async function troubleWithin(files: Files, path: string, size: number): Promise<string | undefined> {
  try {
    for await (const chunk of files.chunks(path, Math.max(0, size - lastLineBytes)))
      return hasEnded(new TextDecoder().decode(chunk)) ? 'has ended (its last line is # end)' : undefined;
    return undefined;
  } catch (error) {
    if (error instanceof OperationError) return `cannot be read (${error.failure.reason})`;
    throw error;
  }
}
