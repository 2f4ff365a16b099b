import type { Host } from '../../host/host.ts';

/**
 * The process that has this file open, by `/proc` (proc(5)): a run's journal is open from its start to its end.
 * Undefined where there is none, or none that this user may see.
 */
export async function writtenBy(
  files: Pick<Host['files'], 'list' | 'realPath'>,
  path: string,
): Promise<number | undefined> {
  const [file, processes] = await Promise.all([files.realPath(path), files.list('/proc')]);
  if (file === undefined) return undefined;
  for (const pid of processes.filter((name) => /^\d+$/.test(name))) {
    const opened = `/proc/${pid}/fd`;
    const numbers = await files.list(opened).catch(() => []);
    for (const number of numbers)
      if ((await files.realPath(`${opened}/${number}`).catch(() => undefined)) === file) return Number(pid);
  }
  return undefined;
}
