import { OperationError } from '../../host/errors.ts';
import { hasPlainArtisan, type Trial, tryOnce } from '../caches/artisan-once.ts';
import { buildInto, buildingSteps } from '../caches/build-aside.ts';
import { compiledFolder, phpOptions } from '../caches/run-steps.ts';
import { isEmptyTree } from '../git/commits.ts';
import type { DeployEvent } from '../record/states.ts';
import { asReason } from '../run/application-error.ts';
import type { Run } from '../run/run.ts';
import type { AsidePreset } from '../settings/preset.ts';
import { applicationIn } from '../settings/subfolder.ts';
import { addUntracked, asideTree, obstacleTo, untrackedPaths, writeCommit } from './aside-tree.ts';
import { type Change, stepsAround } from './verify.ts';

/**
 * Before a reset: starts the application with the new commit in a copy of its own and builds its caches there, where
 * nothing that visitors use is read or written. Returns the event that ends the deploy where that fails: it is the
 * commit's fault, or one of what is around it. Undefined where it does not, or where that cannot be found out, with the
 * reason in the log.
 */
export async function failureAside(run: Run, change: Change): Promise<DeployEvent | undefined> {
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
 * A copy may lack something that the application needs. The new commit is at fault only if the present one works in the
 * copy; where the present one fails in its own place too, no commit is.
 */
async function compare(run: Run, aside: AsidePreset, { from, to }: Change): Promise<DeployEvent | undefined> {
  const [paths] = await Promise.all([untrackedPaths(run, aside), writeCommit(run, to)]);
  await addUntracked(run, aside, paths);
  const failed = await tryCopy(run);
  if (failed === undefined) return undefined;
  await writeCommit(run, from);
  const before = await tryCopy(run);
  if (before === undefined)
    return { type: 'start-failed', commit: to, ...failed, because: await asReason(run, failed.because) };
  const here = await tryPresent(run);
  if (here === undefined) {
    await run.log.line('INFO', `${notStarted}: the present commit ${inWords(before)} there either: ${before.because}`);
    return undefined;
  }
  const said = `${inWords(here)} with the present commit either: ${await asReason(run, here.because)}`;
  const because = `The application ${said}. No commit could work with that, so nothing was changed`;
  return { type: 'refused', because, exitCode: 2 };
}

/** Why an application does not work, and which step has shown it, if it starts at all. */
interface Failed {
  readonly because: string;
  readonly step?: string;
}

const inWords = ({ step }: Failed): string =>
  step === undefined ? 'cannot start' : `cannot build its caches (${step})`;

/** Undefined where the copy starts, and where its caches can be built. No answer is an `OperationError`. */
async function tryCopy(run: Run): Promise<Failed | undefined> {
  const directory = applicationIn(asideTree(run), run.settings);
  const unclear = (reason: string) => new OperationError({ tried: 'Starting the application', on: directory, reason });
  if (!(await hasPlainArtisan(run.host.files, directory))) throw unclear('artisan is not the usual one');
  const options = { ...phpOptions(run, run.interruption), cwd: directory };
  const steps = buildingSteps(run.settings.caches.rebuild);
  const ended = await tryOnce(run.host, phpOf(run) ?? 'php', steps, options, await compiledFolder(run));
  if (ended === undefined) throw unclear('PHP ended without an answer');
  const failed = failureOf(ended);
  run.progress.finishStep({ name: 'start aside', seconds: ended.seconds, exitCode: failed === undefined ? 0 : 1 });
  return failed;
}

/** The same in the place that visitors get, with all that is built in a folder of its own. */
async function tryPresent(run: Run): Promise<Failed | undefined> {
  const cwd = applicationIn(run.checkout.directory, run.settings);
  const folder = `${asideTree(run)}-caches`;
  await run.host.files.makeFolder(folder, { mode: 0o700 });
  const options = { ...phpOptions(run, run.interruption), cwd };
  const ended = await buildInto(run.host, phpOf(run) ?? 'php', run.settings.caches.rebuild, folder, options);
  return ended === undefined ? undefined : failureOf(ended);
}

function failureOf({ cannotStart, failed }: Trial): Failed | undefined {
  return cannotStart === undefined ? failed : { because: cannotStart };
}
