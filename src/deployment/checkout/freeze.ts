import type { Files } from '../../host/host.ts';

/** Made by `holdfast lock`: nothing is deployed until `holdfast unlock`. */
export interface Freeze {
  readonly reason: string;
  readonly at: string;
}

/** The freeze in this state folder, or undefined; a record that cannot be read counts as a freeze. */
export async function frozen(files: Files, stateFolder: string): Promise<Freeze | undefined> {
  const text = await files.read(freezePath(stateFolder));
  if (text === undefined) return undefined;
  try {
    const { reason, at } = JSON.parse(text) as Partial<Freeze>;
    return { reason: String(reason), at: String(at) };
  } catch {
    return { reason: 'the record of the freeze cannot be read', at: 'an unknown time' };
  }
}

/** False when deploys are frozen already: the first reason stays. */
export function freeze(files: Files, stateFolder: string, record: Freeze): Promise<boolean> {
  return files.create(freezePath(stateFolder), `${JSON.stringify(record)}\n`);
}

export function thaw(files: Files, stateFolder: string): Promise<void> {
  return files.remove(freezePath(stateFolder));
}

function freezePath(stateFolder: string): string {
  return `${stateFolder}/frozen.json`;
}
