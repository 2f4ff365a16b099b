import type { Files } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { releaseShape } from '../record/fact-shape.ts';

/** A folder with the files of one commit, and its record. */
export interface Release {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly madeAt: number;
  /** The absolute path. */
  readonly directory: string;
  readonly commit: string;
  readonly state: ReleaseState;
  /** When a run last verified it while it was live, epoch milliseconds. */
  readonly provedAt?: number;
  /** When it was made, the link led to the checkout itself. */
  readonly overCheckout?: true;
}
/**
 * `ready`: complete and on the disk, not verified. `good`: a run verified it while it was live. Only these two may
 * become live.
 */
export type ReleaseState = 'making' | 'ready' | 'good' | 'leaving';

/** Whether its making or its removal has not been finished. */
export function isUnfinished({ state }: Pick<Release, 'state'>): boolean {
  return state === 'making' || state === 'leaving';
}

/** All recorded releases of the checkout, oldest first. A folder without a record is not holdfast's. */
export async function readReleases(files: Files, { stateFolder }: Pick<Checkout, 'stateFolder'>) {
  const folder = recordsFolder(stateFolder);
  const names = (await files.list(folder)).filter((name) => /^[^.].*\.json$/.test(name));
  const texts = await Promise.all(names.map((name) => files.read(`${folder}/${name}`)));
  const releases = texts.map((text, index) => releaseIn(text ?? '', (names[index] ?? '').slice(0, -'.json'.length)));
  return releases.filter((release) => release !== undefined).sort((one, other) => one.madeAt - other.madeAt);
}

/** Writes the record; returns when it is on disk. Call before the change that it announces. */
export async function recordRelease(
  files: Files,
  { stateFolder }: Pick<Checkout, 'stateFolder'>,
  release: Release,
): Promise<void> {
  const folder = recordsFolder(stateFolder);
  await files.makeFolder(folder, { mode: 0o700 });
  await files.replace(`${folder}/${release.name}.json`, `${JSON.stringify(release)}\n`, { mode: 0o600 });
}

export function forgetRelease(
  files: Files,
  { stateFolder }: Pick<Checkout, 'stateFolder'>,
  { name }: Release,
): Promise<void> {
  return files.remove(`${recordsFolder(stateFolder)}/${name}.json`);
}

/** Removes records that a killed process has not written to their end. Call only under the lock. */
export async function removeTornRecords(files: Files, { stateFolder }: Pick<Checkout, 'stateFolder'>): Promise<void> {
  const folder = recordsFolder(stateFolder);
  const torn = (await files.list(folder)).filter((name) => name.startsWith('.'));
  for (const name of torn) await files.remove(`${folder}/${name}`);
}

/** A name that no release has: the run's id, which begins with the time, and the first 7 characters of the commit. */
export function freeName(runId: string, commit: string, taken: readonly Release[]): string {
  const name = `${runId}-${commit.slice(0, 7)}`;
  const same = taken.filter((release) => release.name.startsWith(name)).length;
  return same === 0 ? name : `${name}-${same + 1}`;
}

/** The folder of the records, in the state folder. */
export const recordsName = 'releases';

function recordsFolder(stateFolder: string): string {
  return `${stateFolder}/${recordsName}`;
}

/** Undefined where the text is no record: its folder is then never removed. */
function releaseIn(text: string, name: string): Release | undefined {
  try {
    const record = releaseShape.parse(JSON.parse(text));
    return record.directory.endsWith(`/${name}`) ? ({ ...record, name } as Release) : undefined;
  } catch {
    return undefined;
  }
}
