import type { Files } from '../../host/host.ts';
import { freezeShape } from '../record/fact-shape.ts';
import { type Performer, performerText } from '../record/performer.ts';

/** Made by `holdfast lock`: nothing is deployed until `holdfast unlock`. */
export interface Freeze {
  readonly reason: string;
  readonly at: string;
  /** Who froze them; null where the record does not say it. */
  readonly by: Performer | null;
}

/** The freeze in this state folder, or undefined; a record that cannot be read counts as a freeze. */
export async function frozen(files: Files, stateFolder: string): Promise<Freeze | undefined> {
  const text = await files.read(freezePath(stateFolder));
  if (text === undefined) return undefined;
  try {
    const { reason, at, by = null } = freezeShape.parse(JSON.parse(text));
    return { reason, at, by };
  } catch {
    return { reason: 'the record of the freeze cannot be read', at: 'an unknown time', by: null };
  }
}

/** False when deploys are frozen already: the first reason stays. */
export function freeze(files: Files, stateFolder: string, record: Freeze): Promise<boolean> {
  return files.create(freezePath(stateFolder), `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

/** For people: since when, by whom and why. */
export function freezeText({ reason, at, by }: Freeze): string {
  return `Deploys are frozen since ${at}${by === null ? '' : ` by ${performerText(by)}`}: ${reason}.`;
}

export function thaw(files: Files, stateFolder: string): Promise<void> {
  return files.remove(freezePath(stateFolder));
}

function freezePath(stateFolder: string): string {
  return `${stateFolder}/frozen.json`;
}
