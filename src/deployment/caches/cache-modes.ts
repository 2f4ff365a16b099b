import type { Workspace } from '../run/run.ts';
import { umaskGiving } from '../run/umask.ts';
import type { Step } from '../settings/steps.ts';

/** The umask under which new caches have the permissions of the folder that they belong to, whatever ours is. */
export async function umaskOfCaches({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<number> {
  const folder = await host.files.stat(checkout.directory);
  return umaskGiving(folder?.mode ?? defaultMode) | othersNeverWrite;
}

const defaultMode = 0o755;
const othersNeverWrite = 0o002;

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

function filesOf({ leaves, publish = [], together }: Step): readonly string[] {
  const left = leaves === undefined ? [] : Object.values(leaves);
  const published = [...publish, ...(together?.publish ?? [])].map(({ to }) => to);
  return [...left, ...published].filter((path) => !path.includes('*'));
}
