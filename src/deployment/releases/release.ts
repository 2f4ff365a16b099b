import type { Files } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { isCommitId } from '../git/commits.ts';

/** One folder with the files of one commit, and what is known of it. */
export interface Release {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly madeAt: number;
  /** The whole path. */
  readonly directory: string;
  readonly commit: string;
  readonly state: ReleaseState;
  /** When a run last ended well with it live, epoch milliseconds. */
  readonly provedAt?: number;
  /** It was made to be shown where the checkout itself was. */
  readonly overCheckout?: true;
}
/** `ready`: whole, on the disk, and nothing proved. `good`: it was live when its run ended well. Only these two may become live. */
export type ReleaseState = 'making' | 'ready' | 'good' | 'leaving';

/** Not made to its end, or not removed to its end. */
export function isHalf({ state }: Pick<Release, 'state'>): boolean {
  return state === 'making' || state === 'leaving';
}

/** All releases that were ever begun here and are not gone, oldest first. A folder that is none of them is not ours. */
export async function readReleases(files: Files, { stateFolder }: Pick<Checkout, 'stateFolder'>) {
  const folder = recordsFolder(stateFolder);
  const names = (await files.list(folder)).filter((name) => /^[^.].*\.json$/.test(name));
  const texts = await Promise.all(names.map((name) => files.read(`${folder}/${name}`)));
  const releases = texts.map((text, index) => releaseIn(text ?? '', (names[index] ?? '').slice(0, -'.json'.length)));
  return releases.filter((release) => release !== undefined).sort((one, other) => one.madeAt - other.madeAt);
}

/** Returns when the record is on disk: before what it tells of is done. */
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

/** Removes the records that a process was killed while it wrote. Only under the lock. */
export async function removeTornRecords(files: Files, { stateFolder }: Pick<Checkout, 'stateFolder'>): Promise<void> {
  const folder = recordsFolder(stateFolder);
  const torn = (await files.list(folder)).filter((name) => name.startsWith('.'));
  for (const name of torn) await files.remove(`${folder}/${name}`);
}

/** A name that no release has: the run's, which begins with the time, and the commit's beginning. */
export function freeName(runId: string, commit: string, taken: readonly Release[]): string {
  const name = `${runId}-${commit.slice(0, 7)}`;
  const same = taken.filter((release) => release.name.startsWith(name)).length;
  return same === 0 ? name : `${name}-${same + 1}`;
}

/** What their folder is called in the state folder. */
export const recordsName = 'releases';

function recordsFolder(stateFolder: string): string {
  return `${stateFolder}/${recordsName}`;
}

/** Undefined where the record is not one: then nothing is known, and nothing is removed. */
function releaseIn(text: string, name: string): Release | undefined {
  try {
    const { directory, commit, madeAt, state, ...more } = JSON.parse(text) as Partial<Release>;
    const isWhole = directory?.endsWith(`/${name}`) && isCommitId(String(commit)) && Number.isFinite(madeAt);
    return isWhole && isState(state) ? ({ ...more, name, directory, commit, madeAt, state } as Release) : undefined;
  } catch {
    return undefined;
  }
}

function isState(state: unknown): state is ReleaseState {
  return ['making', 'ready', 'good', 'leaving'].includes(String(state));
}
