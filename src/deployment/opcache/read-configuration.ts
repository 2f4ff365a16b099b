import type { Files } from '../../host/host.ts';

/** A process of this machine, with its command line or the title that it gave itself. */
export interface Process {
  readonly pid: string;
  /** Words end with a NUL, as proc(5) has them. */
  readonly title: string;
}

/** The processes of this machine that can be seen. */
export async function readProcesses(files: Files): Promise<readonly Process[]> {
  const pids = (await files.list('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(pids.map(async (pid) => ({ pid, title: await textOf(files, `/proc/${pid}/cmdline`) })));
}

/** A file that cannot be read is treated as absent. */
export async function textOf(files: Files, path: string): Promise<string> {
  return (await files.read(path).catch(() => undefined)) ?? '';
}

/** The files of a pattern, in the order of their names. Only its last part may contain `*`, as in the distributions' files. */
export async function readMatching(files: Files, pattern: string): Promise<readonly string[]> {
  const slash = pattern.lastIndexOf('/');
  const folder = pattern.slice(0, slash);
  const parts = pattern.slice(slash + 1).split('*');
  const name = new RegExp(`^${parts.map(RegExp.escape).join('.*')}$`);
  const names = (await files.list(folder).catch(() => [])).filter((each) => name.test(each));
  return Promise.all(names.map((each) => textOf(files, `${folder}/${each}`)));
}
