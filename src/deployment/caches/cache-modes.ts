import type { Workspace } from '../run/run.ts';
import { umaskInFolder } from '../run/umask.ts';
import type { Step } from '../settings/steps.ts';

/**
 * The umask under which new caches have the permissions of the folders that these steps write them into, whatever ours
 * is. Who may enter one of several may read, because each folder still keeps out those who may not enter it. Whoever
 * may write in all of them may write. The checkout's own folder is not considered, because it may belong to another
 * group.
 */
export async function umaskOfCaches(
  { host, checkout }: Pick<Workspace, 'host' | 'checkout'>,
  steps: readonly Step[],
): Promise<number> {
  const modeOf = async (path: string) => {
    const there = await host.files.stat(`${checkout.directory}/${path}`);
    return there?.kind === 'folder' ? there.mode : undefined;
  };
  const written = [...new Set(steps.flatMap(writtenBy))];
  const modes = await Promise.all(written.map(async (path) => (await modeOf(path)) ?? modeOf(folderOf(path))));
  const known = modes.filter((mode) => mode !== undefined);
  const folders = known.length > 0 ? known : [(await modeOf('')) ?? defaultMode];
  return (
    folders.map(umaskInFolder).reduce((one, other) => (one & other) | ((one | other) & writing)) | othersNeverWrite
  );
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

const defaultMode = 0o755;
const othersNeverWrite = 0o002;
const writing = 0o222;

/** The modes of the files that these steps clear and write; those in folders are not among them. */
export async function modesOf(run: Workspace, steps: readonly Step[]): Promise<ReadonlyMap<string, number>> {
  const modes = new Map<string, number>();
  for (const path of new Set(steps.flatMap(filesOf))) {
    const there = await run.host.files.stat(`${run.checkout.directory}/${path}`);
    if (there?.kind === 'file') modes.set(path, there.mode);
  }
  return modes;
}

/** Gives the files that were written anew the modes that they had: a cached configuration holds secrets. */
export async function restoreModes(run: Workspace, modes: ReadonlyMap<string, number>): Promise<void> {
  for (const [path, mode] of modes) {
    const file = `${run.checkout.directory}/${path}`;
    const there = await run.host.files.stat(file);
    const isOurs = there?.kind === 'file' && there.uid === run.checkout.self.userId;
    if (isOurs && there.mode !== mode) await run.host.files.setMode(file, mode);
  }
}

function filesOf(step: Step): readonly string[] {
  return writtenBy(step).filter((path) => !path.includes('*'));
}

/** Files, folders of files, and patterns of files. */
function writtenBy({ leaves, publish = [], together }: Step): readonly string[] {
  const left = leaves === undefined ? [] : Object.values(leaves);
  return [...left, ...[...publish, ...(together?.publish ?? [])].map(({ to }) => to)];
}
