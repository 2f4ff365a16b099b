import { OperationError } from '../../host/errors.ts';
import { hasPlainArtisan, startOnce } from '../caches/artisan-once.ts';
import { compiledFolder, phpOptions } from '../caches/run-steps.ts';
import { isEmptyTree } from '../git/commits.ts';
import { asReason } from '../run/application-error.ts';
import type { Run } from '../run/run.ts';
import type { AsidePreset } from '../settings/preset.ts';
import { applicationIn } from '../settings/subfolder.ts';
import { addUntracked, asideTree, obstacleTo, untrackedPaths, writeCommit } from './aside-tree.ts';
import { type Change, stepsAround } from './verify.ts';

/**
 * Before a reset: starts the application with the new commit in a copy of its own, where nothing that visitors use is
 * read or written. Returns why it cannot start; undefined where it can, or where that cannot be found out, with the
 * reason in the log.
 */
export async function failureAside(run: Run, change: Change): Promise<string | undefined> {
  const { aside } = run.settings;
  if (aside === undefined || !(await isToStart(run, change))) return undefined;
  try {
    const unknown = await obstacle(run, change);
    if (unknown === undefined) return await compare(run, aside, change);
    await run.log.line('INFO', `${notStarted}: ${unknown}`);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    if (!run.interruption.aborted) await run.log.line('INFO', `${notStarted}: ${error.message}`);
  }
  return undefined;
}

const notStarted = 'The new commit is not started aside before the reset';

/** False if the commit changes nothing that matters, or if the application cannot be started by any known command. */
async function isToStart(run: Run, { from, to }: Change): Promise<boolean> {
  if (run.settings.variant === 'basic' || isEmptyTree(from) || from === to) return false;
  return (
    phpOf(run) !== undefined && hasPlainArtisan(run.host.files, applicationIn(run.checkout.directory, run.settings))
  );
}

async function obstacle(run: Run, { from, to }: Change): Promise<string | undefined> {
  const { before } = await stepsAround(run, 'deploy', [from], to);
  if (before.length > 0) return `it may need what is done first: ${before.map(({ name }) => name).join(', ')}`;
  return obstacleTo(run, to);
}

/** The program that runs artisan. */
function phpOf({ settings }: Run): string | undefined {
  const [php, program] = settings.caches.rebuild[0]?.command ?? [];
  return program === 'artisan' ? php : undefined;
}

/**
 * A copy may lack something that the application needs. The new commit is at fault only if the present one can start in
 * the copy.
 */
async function compare(run: Run, aside: AsidePreset, { from, to }: Change): Promise<string | undefined> {
  const [paths] = await Promise.all([untrackedPaths(run, aside), writeCommit(run, to)]);
  await addUntracked(run, aside, paths);
  const failed = await start(run);
  if (failed === undefined) return undefined;
  await writeCommit(run, from);
  const before = await start(run);
  if (before === undefined) return asReason(run, failed);
  await run.log.line('INFO', `${notStarted}: the present commit cannot start there either: ${before}`);
  return undefined;
}

/** Why the copy cannot start; undefined where it can. A copy that gives no answer is an `OperationError`. */
async function start(run: Run): Promise<string | undefined> {
  const directory = applicationIn(asideTree(run), run.settings);
  const unclear = (reason: string) => new OperationError({ tried: 'Starting the application', on: directory, reason });
  if (!(await hasPlainArtisan(run.host.files, directory))) throw unclear('artisan is not the usual one');
  const options = { ...phpOptions(run, run.interruption), cwd: directory };
  const ended = await startOnce(run.host, phpOf(run) ?? 'php', options, await compiledFolder(run));
  if (ended === undefined) throw unclear('PHP ended without an answer');
  const { seconds, cannotStart } = ended;
  run.progress.finishStep({ name: 'start aside', seconds, exitCode: cannotStart === undefined ? 0 : 1 });
  return cannotStart;
}
