import { OperationError } from '../../host/errors.ts';
import { isEmptyTree } from '../git/commits.ts';
import type { Difference } from '../git/differences.ts';
import { git } from '../git/git.ts';
import { localEdits, patchOfLocalEdits, pathsIn } from '../git/local-edits.ts';
import { reasonOf } from '../git/reason-of.ts';
import { evidenceFolder } from '../run/evidence.ts';
import { listByGit, runGit, type Workspace } from '../run/run.ts';
import { collisions } from './collisions.ts';
import { fetchSubmodules, type MovedSubmodule } from './fetch-submodules.ts';
import { discardedOf, keepUnseen, type Unseen, unseenFiles } from './hidden-edits.ts';
import { keepFiles, measure, notKept, type ToKeep } from './kept-files.ts';
import { demandSpace, differencesBetween } from './space.ts';

export interface BlastRadius {
  /** The files that differ between the two commits. */
  readonly differences: readonly Difference[];
  /** Tracked files that differed from HEAD. */
  readonly edited: readonly string[];
  /** What is in the way of the reset. */
  readonly kept: ToKeep;
}

/**
 * Before a reset: logs what it will discard, keeps a copy, and makes sure that there is room for it. Too little room,
 * or a copy that fails, is an `OperationError`, and nothing has been touched.
 */
export async function keepResetLosses(run: Workspace, from: string, to: string): Promise<BlastRadius> {
  // Without a commit git has nothing that files could differ from.
  const edits = isEmptyTree(from) ? [] : editedFiles(run);
  const [differences, edited] = await Promise.all([differencesBetween(run, from, to), edits]);
  const moved = await fetchSubmodules(run, differences, to);
  const dirty = await dirtySubmodules(run, differences, edited);
  const inTheWay = [
    ...(await collisions(differences, (path) => kindOf(run, path))),
    ...(await inTheWayOf(
      run,
      moved.filter(({ path }) => !dirty.includes(path)),
    )),
  ];
  const taken = [...inTheWay, ...dirty];
  const unseen = isEmptyTree(from) ? [] : await unseenFiles(run);
  const discarded = discardedOf(unseen, differences);
  const kept = await measure(run, inTheWay, dirty);
  const copied = [...edited, ...unseen.flatMap(({ path, isEdited }) => (isEdited ? [path] : []))];
  const bytes = kept.bytes + (await roomFor(run, copied));
  await demandSpace(run, differences, run.checkout.directory, { bytes, files: kept.files + copied.length });
  const lost = [...edited, ...discarded, ...taken];
  if (lost.length > 0) {
    run.journal.record({ type: 'local-edits-found', paths: lost });
    if (run.settings.localEdits === 'refuse') throw refusal(run, lost);
  }
  await keepUnseen(run, unseen, discarded);
  if (edited.length + taken.length === 0) return { differences, edited, kept };
  await run.host.files.makeFolder(evidenceFolder(run), { mode: 0o700 });
  await keepEdits(run, edited);
  await keepFiles(run, kept);
  return { differences, edited, kept };
}

const kindOf = async ({ host, checkout }: Workspace, path: string) =>
  (await host.files.stat(`${checkout.directory}/${path}`))?.kind;

/** The same in submodules, such as files that git ignores there. One whose git shows changes is kept whole. */
async function inTheWayOf(run: Workspace, moved: readonly MovedSubmodule[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { path, from, to } of moved) {
    const differing = await differencesBetween(inside(run, path), from, to);
    const within = await collisions(differing, (each) => kindOf(run, `${path}/${each}`));
    found.push(...within.map((each) => `${path}/${each}`));
  }
  return found;
}

/** The same run in a submodule. */
function inside(run: Workspace, path: string): Workspace {
  return { ...run, checkout: { ...run.checkout, directory: `${run.checkout.directory}/${path}` } };
}

/** What is lost of a folder that another one takes the place of. */
export interface Replaced {
  readonly unseen: readonly Unseen[];
  readonly differing: readonly Difference[];
  /** Whether edits that git sees are lost too; they stay in the folder as long as that is kept. */
  readonly hasEdits: boolean;
}

/** The same for the folder that visitors get, where a deploy makes another one and changes nothing in this. */
export async function keepEditsOf(run: Workspace, { unseen, differing, hasEdits }: Replaced): Promise<void> {
  const edited = hasEdits ? await editedFiles(run) : [];
  const discarded = discardedOf(unseen, differing);
  const lost = [...edited, ...discarded];
  if (lost.length > 0) {
    run.journal.record({ type: 'local-edits-found', paths: lost });
    if (run.settings.localEdits === 'refuse') throw refusal(run, lost);
  }
  await keepUnseen(run, unseen, discarded);
  if (edited.length === 0) return;
  await run.host.files.makeFolder(evidenceFolder(run), { mode: 0o700 });
  await keepEdits(run, edited);
}

/** The patch in which a run keeps the local edits. */
export function keptEdits(run: Pick<Workspace, 'checkout' | 'id'>): string {
  return `${evidenceFolder(run)}/local-edits.patch`;
}

async function editedFiles(run: Workspace): Promise<readonly string[]> {
  return pathsIn(await listByGit(run, 'local edits', localEdits()));
}

async function keepEdits(run: Workspace, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const patch = keptEdits(run);
  await run.log.line('INFO', `Local edits that the reset discards, kept in ${patch}: ${paths.length}`);
  await run.log.output(`${paths.join('\n')}\n`);
  const { exitCode, stderr } = await runGit(run, 'keep local edits', patchOfLocalEdits(patch));
  if (exitCode === 0) return;
  await run.host.files.remove(patch);
  throw notKept(patch, reasonOf(stderr) || `exit code ${exitCode}`);
}

/** Bytes: a patch of a binary file has five characters for four bytes (base 85, git's `base85.c`). */
async function roomFor(run: Workspace, paths: readonly string[]): Promise<number> {
  const there = await Promise.all(paths.map((path) => run.host.files.stat(`${run.checkout.directory}/${path}`)));
  return Math.ceil(1.25 * there.reduce((bytes, file) => bytes + (file?.kind === 'file' ? file.sizeBytes : 0), 0));
}

function refusal({ checkout }: Pick<Workspace, 'checkout'>, paths: readonly string[]): OperationError {
  return new OperationError({
    tried: 'Resetting',
    on: checkout.directory,
    reason: `it would throw away ${paths.length} files (${paths.slice(0, 5).join(', ')}), and deployment.localEdits is 'refuse'`,
  });
}

/**
 * The submodules among these paths whose own tree has edits or untracked files: an update to another commit may
 * overwrite them. One that git cannot look into counts as well.
 */
async function dirtySubmodules(
  run: Workspace,
  differing: readonly Difference[],
  edited: readonly string[],
): Promise<readonly string[]> {
  const bumped = differing.flatMap(({ path, isBump }) => (isBump ? [path] : []));
  const dirty: string[] = [];
  for (const path of new Set([...bumped, ...edited])) {
    const folder = `${run.checkout.directory}/${path}`;
    // Without `.git` it is a file, or a submodule that was never brought here.
    if ((await run.host.files.stat(`${folder}/.git`)) === undefined) continue;
    const all = ['--ignore-submodules=none', '--untracked-files=normal'] as const;
    const status = git('-C', folder, 'status', '--porcelain', ...all);
    const { exitCode, stdout } = await runGit(run, `status of ${path}`, status, { answers: true });
    if (exitCode !== 0 || stdout !== '' || (await hasUnseenEdits(inside(run, path)))) dirty.push(path);
  }
  return dirty.sort();
}

async function hasUnseenEdits(inside: Workspace): Promise<boolean> {
  return (await unseenFiles(inside)).some(({ isEdited }) => isEdited);
}
