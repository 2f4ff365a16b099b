import { OperationError } from '../../host/errors.ts';
import type { Difference } from '../git/differences.ts';
import { git } from '../git/git.ts';
import type { ResetTrouble } from '../git/reset.ts';
import { unseenShape } from '../record/fact-shape.ts';
import { readStateFile } from '../record/state-file.ts';
import { evidenceFolder } from '../run/evidence.ts';
import { listByGit, runGit, runStep, type Workspace } from '../run/run.ts';
import { notKept } from './kept-files.ts';
import { nulEnded } from './paths-on-input.ts';

/** A tracked file whose changes git ignores: `assume-unchanged`, `skip-worktree` or both (git-update-index(1)). */
export interface Unseen {
  readonly path: string;
  /** As `git ls-files -v` has it: `h`, `S` or `s`. */
  readonly tag: string;
  /** What git takes it for. */
  readonly blob: string;
  /** Whether its text is another. */
  readonly isEdited: boolean;
}

/** The existing files whose changes git ignores. Files that a sparse checkout leaves out do not exist. */
export async function unseenFiles(run: Workspace): Promise<readonly Unseen[]> {
  const found: Omit<Unseen, 'isEdited'>[] = [];
  for (const { path, tag, blob } of await listed(run))
    if (/^[a-zS]$/.test(tag) && (await placeOf(run, path))?.kind === 'file') found.push({ path, tag, blob });
  if (found.length === 0) return [];
  const hashes = git('hash-object', '--stdin-paths');
  // It reads lines: a name with a line break counts as edited.
  const plain = found.filter(({ path }) => !path.includes('\n'));
  const stdin = plain.map(({ path }) => `${path}\n`).join('');
  const now = (await listByGit(run, 'unseen files', hashes, { stdin })).split('\n');
  const hashOf = new Map(plain.map(({ path }, index) => [path, now[index]]));
  return found.map((each) => ({ ...each, isEdited: hashOf.get(each.path) !== each.blob }));
}

/** The edits among them whose file the commit changes: these are discarded, as any edit. */
export function discardedOf(unseen: readonly Unseen[], differing: readonly Difference[]): readonly string[] {
  const changed = new Set(differing.map(({ path }) => path));
  return unseen.filter(({ path, isEdited }) => isEdited && changed.has(path)).map(({ path }) => path);
}

/**
 * Before a reset: copies their edits aside, and says in the log which of them it discards, where that is known. A copy
 * that fails is an `OperationError`.
 */
export async function keepUnseen(
  run: Workspace,
  unseen: readonly Unseen[],
  discarded?: readonly string[],
): Promise<void> {
  if (unseen.length === 0) return;
  const folder = copiesOf(run, run.id);
  await run.host.files.makeFolder(folder, { mode: 0o700 });
  await run.host.files.replace(recordPath(run, run.id), JSON.stringify(unseen), { mode: 0o600 });
  const edited = unseen.filter(({ isEdited }) => isEdited).map(({ path }) => path);
  if (edited.length === 0) return;
  await run.log.line('INFO', `Edits that git was told not to see, kept in ${folder}: ${edited.length}`);
  const isDiscarded = new Set(discarded);
  const words = (path: string) =>
    discarded === undefined
      ? 'stays as it is, unless the new commit changes it'
      : isDiscarded.has(path)
        ? 'the new commit changes it, and replaces this edit'
        : 'stays as it is';
  await run.log.output(edited.map((path) => `${path}: ${words(path)}\n`).join(''));
  const copy = ['xargs', '-0', 'cp', '--archive', '--parents', `--target-directory=${folder}`, '--'] as const;
  const options = { env: run.settings.environment, answers: true, stdin: nulEnded(edited) } as const;
  const { exitCode, stderr } = await runStep(run, 'keep unseen edits', copy, options);
  if (exitCode === 0) return;
  await run.host.files.remove(folder);
  throw notKept(folder, stderr.trim().split('\n').at(-1) ?? '');
}

/**
 * Does a reset to the commit with git seeing all that it changes, and not looking at what it leaves alone: otherwise it
 * fails at an edit that it ignores, or overwrites it. Afterwards git has the same index flags as before. Returns why
 * the reset or this failed.
 */
export async function withoutUnseen(
  run: Workspace,
  to: string,
  reset: () => Promise<ResetTrouble | undefined>,
): Promise<ResetTrouble | undefined> {
  const unseen = await unseenFiles(run);
  if (unseen.length === 0) return reset();
  try {
    const names = git('diff', '--name-only', '-z', '--cached', '--no-ext-diff', '--no-renames', to, '--');
    const changed = new Set((await listByGit(run, 'changed files', names)).split('\0'));
    const seen = unseen.filter(({ path }) => changed.has(path));
    await showToGit(run, seen);
    await tell(
      run,
      '--skip-worktree',
      unseen.filter(({ path }) => !changed.has(path)),
    );
    const trouble = await reset();
    await tellAsBefore(run, unseen);
    return trouble;
  } catch (error) {
    // Such as a lock of another git.
    if (!(error instanceof OperationError)) throw error;
    await run.log.line('ERROR', error.message);
    return { because: error.message };
  }
}

/** Makes git see them as any other file. */
export async function showToGit(run: Workspace, unseen: readonly Unseen[]): Promise<void> {
  await tell(run, '--no-assume-unchanged', unseen);
  await tell(run, '--no-skip-worktree', unseen);
}

/**
 * Before the undo of what killed runs have left: also keeps edits that were made since then. The flags of the index are
 * those that these runs recorded.
 */
export async function keepUnseenSince(run: Workspace, runIds: readonly string[]): Promise<void> {
  // A loss of power may leave an index that cannot be read.
  const unseen = await unseenFiles(run).catch(() => []);
  const tags = new Map<string, string>();
  for (const id of runIds) for (const { path, tag } of await recorded(run, id)) tags.set(path, tag);
  await keepUnseen(
    run,
    unseen.map((each) => ({ ...each, tag: tags.get(each.path) ?? each.tag })),
    [],
  );
}

/**
 * After a return: brings back the edits that these runs kept, of files that are the same in git again. Others stay
 * aside.
 */
export async function returnUnseen(run: Workspace, runIds: readonly string[]): Promise<void> {
  for (const id of runIds) {
    const unseen = await recorded(run, id);
    if (unseen.length === 0) continue;
    const blobs = new Map((await listed(run)).map(({ path, blob }) => [path, blob]));
    const same = unseen.filter(({ path, blob }) => blobs.get(path) === blob);
    for (const { path, isEdited } of same) if (isEdited) await returnOne(run, `${copiesOf(run, id)}/${path}`, path);
    await tellAsBefore(run, same);
  }
}

/** Whether this run keeps such edits already. */
export async function keepsUnseen(run: Workspace): Promise<boolean> {
  return (await run.host.files.stat(recordPath(run, run.id))) !== undefined;
}

async function recorded(run: Workspace, id: string): Promise<readonly Unseen[]> {
  return (await readStateFile(run.host.files, recordPath(run, id), unseenShape)) ?? [];
}

/** Renamed into its place; a text that is there already is not written again. */
async function returnOne(run: Workspace, kept: string, path: string): Promise<void> {
  const script = 'cmp -s -- "$1" "$2" || { cp --archive -- "$1" "$3" && mv -fT -- "$3" "$2"; }';
  const aside = `${run.checkout.stateFolder}/unseen-edit`;
  const command = ['sh', '-c', script, 'sh', kept, path, aside] as const;
  const { exitCode } = await runStep(run, 'return unseen edit', command, { env: run.settings.environment });
  if (exitCode === 0) await run.log.line('INFO', `The edit of ${path} is there, as kept in ${kept}`);
  else await run.log.line('ERROR', `The edit of ${path} could not be put back from ${kept}`);
}

async function tellAsBefore(run: Workspace, unseen: readonly Unseen[]): Promise<void> {
  const there = new Set((await listed(run)).map(({ path }) => path));
  const known = unseen.filter(({ path }) => there.has(path));
  await tell(
    run,
    '--assume-unchanged',
    known.filter(({ tag }) => tag !== 'S'),
  );
  await tell(
    run,
    '--skip-worktree',
    known.filter(({ tag }) => /s/i.test(tag)),
  );
  await tell(
    run,
    '--no-skip-worktree',
    known.filter(({ tag }) => !/s/i.test(tag)),
  );
}

async function tell(run: Workspace, what: string, unseen: readonly Pick<Unseen, 'path'>[]): Promise<void> {
  if (unseen.length === 0) return;
  const stdin = nulEnded(unseen.map(({ path }) => path));
  const { exitCode } = await runGit(run, 'unseen files', git('update-index', what, '-z', '--stdin'), { stdin });
  if (exitCode === 0) return;
  throw new OperationError({
    tried: `Telling git ${what} in`,
    on: run.checkout.directory,
    reason: `exit code ${exitCode}`,
  });
}

interface Listed {
  readonly tag: string;
  readonly blob: string;
  readonly path: string;
}

/** `H 100644 <blob> 0`, a tab and the path, of each tracked file. */
async function listed(run: Workspace): Promise<readonly Listed[]> {
  const all = await listByGit(run, 'tracked files', git('ls-files', '-v', '--stage', '-z'));
  return all.split('\0').flatMap((entry) => {
    const [, tag, blob, path] = /^(\S) \d+ ([0-9a-f]+) \d\t(.*)$/s.exec(entry) ?? [];
    return tag === undefined || blob === undefined || path === undefined ? [] : [{ tag, blob, path }];
  });
}

function placeOf({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>, path: string) {
  return host.files.stat(`${checkout.directory}/${path}`);
}

/** Where a run keeps the edits that git ignores. */
function copiesOf({ checkout }: Pick<Workspace, 'checkout'>, id: string): string {
  return `${evidenceFolder({ checkout, id })}/hidden-edits`;
}

function recordPath({ checkout }: Pick<Workspace, 'checkout'>, id: string): string {
  return `${evidenceFolder({ checkout, id })}/hidden-edits.json`;
}
