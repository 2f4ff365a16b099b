import type { Files } from '../../host/host.ts';

/** A person's word that nothing is to be deployed. */
export interface Freeze {
  readonly reason: string;
  readonly at: string;
}

/** The freeze in this state folder; a record that cannot be read freezes too. */
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

/** False when they are frozen already: the first reason stays. */
export function freeze(files: Files, stateFolder: string, record: Freeze): Promise<boolean> {
  return files.create(freezePath(stateFolder), `${JSON.stringify(record)}\n`);
}

export function thaw(files: Files, stateFolder: string): Promise<void> {
  return files.remove(freezePath(stateFolder));
}

function freezePath(stateFolder: string): string {
  return `${stateFolder}/frozen.json`;
}
