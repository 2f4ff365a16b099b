import { OperationError } from '../../host/errors.ts';
import type { Files } from '../../host/host.ts';
import { hasEnded } from '../../validation/downtime-log/log-facts.ts';

/** More bytes than the line `# end` with its time. */
const lastLineBytes = 200;

/** The same of several, each of which is another prober's. */
export async function downtimeLogsMistakes(files: Files, paths: readonly string[]): Promise<readonly string[]> {
  // Also by another name: a link, or another way to the same file.
  const real = await Promise.all(
    paths.map(async (path) => (path === '-' ? path : ((await files.realPath(path)) ?? path))),
  );
  const twice = paths.filter((_, index) => real.indexOf(real[index] ?? '') < index);
  const mistakes = [];
  for (const path of new Set(paths)) mistakes.push(...(await downtimeLogMistakes(files, path)));
  return [
    ...mistakes,
    ...new Set(twice.map((path) => `--downtime-log ${path} is given twice: a vantage point has one log.`)),
  ];
}

/**
 * Why `--downtime-log` cannot be followed, one sentence; none if it can. `-` is standard input, which is not checked.
 */
export async function downtimeLogMistakes(files: Files, path: string | undefined): Promise<readonly string[]> {
  if (path === undefined || path === '-') return [];
  const because = await trouble(files, path);
  return because === undefined
    ? []
    : [`--downtime-log ${path} ${because}: name the log of a running monitor, or - for a log on standard input.`];
}

async function trouble(files: Files, path: string): Promise<string | undefined> {
  const real = await files.realPath(path);
  const { kind, sizeBytes: size = 0 } = (await files.stat(real ?? path)) ?? {};
  if (kind === undefined) return 'does not exist';
  if (kind === 'folder') return 'is a folder';
  // Such as a pipe or a dangling link: only a regular file can be followed.
  return kind === 'file' ? troubleWithin(files, path, size) : 'is not a regular file';
}

async function troubleWithin(files: Files, path: string, size: number): Promise<string | undefined> {
  try {
    for await (const chunk of files.chunks(path, Math.max(0, size - lastLineBytes)))
      return hasEnded(new TextDecoder().decode(chunk)) ? 'is finished (its last line is # end)' : undefined;
    return undefined;
  } catch (error) {
    if (error instanceof OperationError) return `cannot be read (${error.failure.reason})`;
    throw error;
  }
}
