import type { Files, RunOptions } from '../../host/host.ts';
import type { StepFailure, StepTrouble } from '../record/states.ts';
import { asReason, errorShown } from '../run/application-error.ts';
import { recordChild, runStep, runVariable, type Workspace } from '../run/run.ts';
import type { Publication, Step } from '../settings/steps.ts';
import { applicationIn } from '../settings/subfolder.ts';
import {
  artisanOnce,
  type CannotStart,
  canRunOnce,
  hasPlainArtisan,
  type StepResult,
  startOnce,
} from './artisan-once.ts';
import { effectSentence, wrongAfter } from './effects.ts';

/** The step of a failure to start the application: none of the steps was run. */
export const startStep = 'start';

/**
 * Runs the steps in order, all artisan steps in one PHP process where that gives the same files. Returns the first
 * failure, or undefined. Where the application cannot start, no step is tried: each would fail for the same reason.
 */
export async function runSteps(
  run: Workspace,
  steps: readonly Step[],
  signal?: AbortSignal,
  umask?: number,
): Promise<StepFailure | undefined> {
  const results = await inOneProcess(run, steps, signal, umask);
  if (results === 'failed') {
    const failure = await tryAside(run, steps, signal, umask);
    if (failure !== undefined) return failure;
  } else if (results !== undefined)
    return 'cannotStart' in results ? cannotStart(run, results) : logResults(run, results);
  for (const step of steps) {
    const failure = await runOne(run, step, signal, umask);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/**
 * Runs each step's own command, once: it may do something that must not be done twice, and has a time limit of its own.
 * Returns the first failure, or undefined. Where the application cannot start, that is the failure.
 */
export async function runCommands(
  run: Workspace,
  steps: readonly Step[],
  signal?: AbortSignal,
  umaskOfServed?: number,
): Promise<StepFailure | undefined> {
  for (const step of steps) {
    const failure = await runOne(run, step, signal, step.served ? umaskOfServed : undefined);
    if (failure !== undefined) return (await startFailure(run, step, signal)) ?? failure;
  }
  return undefined;
}

/** Whether the application cannot start is asked only after a command of its artisan has failed. */
async function startFailure(run: Workspace, step: Step, signal?: AbortSignal): Promise<StepFailure | undefined> {
  const { host, checkout } = run;
  const { files } = host;
  const directory = applicationIn(checkout.directory, run.settings);
  if (signal?.aborted || !(await canRunOnce(files, directory, [step]))) return undefined;
  if (!(await hasPlainArtisan(files, directory))) return undefined;
  const options = phpOptions(run, signal);
  const env = { ...options.env, ...step.environment };
  const ended = await startOnce(host, step.command[0], { ...options, env }, await compiledFolder(run));
  const because = ended?.cannotStart;
  return because === undefined ? undefined : cannotStart(run, { cannotStart: because, seconds: ended?.seconds ?? 0 });
}

/**
 * Without these variables Symfony's console starts `stty` several times a command to find its size; these are its own
 * defaults.
 */
const terminal = { COLUMNS: '80', LINES: '50' };

async function inOneProcess(
  run: Workspace,
  steps: readonly Step[],
  signal?: AbortSignal,
  umask?: number,
): Promise<readonly StepResult[] | CannotStart | 'failed' | undefined> {
  const directory = applicationIn(run.checkout.directory, run.settings);
  const { files } = run.host;
  if (!(await canRunOnce(files, directory, steps))) return undefined;
  run.progress.beginStep(steps.map(({ name }) => name).join(', '), run.settings.commandTimeout);
  const ended = await artisanOnce(run.host, steps, phpOptions(run, signal, umask), await compiledFolder(run));
  if (ended === undefined) return 'failed';
  const isVerdict = !('cannotStart' in ended) || (await hasPlainArtisan(files, directory));
  return isVerdict ? ended : undefined;
}

/**
 * Runs the own commands of those steps that can build aside, and of those that clear no file, before the others clear
 * what visitors use: where one fails nothing is cleared. What they build is thrown away.
 */
async function tryAside(
  run: Workspace,
  steps: readonly Step[],
  signal?: AbortSignal,
  umask?: number,
): Promise<StepFailure | undefined> {
  const directory = applicationIn(run.checkout.directory, run.settings);
  const built = new Set<string>();
  try {
    for (const { leaves: _leaves, publish: _publish, together, ...step } of steps.filter(clearsNoFile)) {
      const { environment = {}, views = '' } = together ?? {};
      for (const path of [...Object.values(environment), views]) built.add(path);
      const aside = { ...step.environment, ...environment, VIEW_COMPILED_PATH: views };
      const failure = await runOne(run, { ...step, environment: aside }, signal, umask);
      if (failure !== undefined) return failure;
    }
    return undefined;
  } finally {
    for (const path of built) await run.host.files.remove(`${directory}/${path}`);
  }
}

const clearsNoFile = ({ leaves, together }: Step): boolean =>
  together !== undefined && (leaves === undefined || 'present' in leaves);

/** How PHP is run in the checkout. */
export function phpOptions(run: Workspace, signal?: AbortSignal, umask?: number): RunOptions {
  return {
    cwd: applicationIn(run.checkout.directory, run.settings),
    env: { ...terminal, ...run.settings.environment, [runVariable]: run.id },
    timeoutSeconds: run.settings.commandTimeout,
    started: ({ pid }: { readonly pid: number }) => recordChild(run, pid),
    ...(signal === undefined ? {} : { signal }),
    ...(umask === undefined ? {} : { umask }),
  };
}

/** The folder in which PHP keeps what it has compiled. */
export async function compiledFolder({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<string> {
  const folder = `${checkout.stateFolder}/php`;
  await host.files.makeFolder(folder, { mode: 0o700 });
  return folder;
}

function cannotStart(run: Workspace, { cannotStart, seconds }: CannotStart): StepFailure {
  run.progress.finishStep({ name: startStep, seconds, exitCode: 1 });
  return { type: 'step-failed', step: startStep, because: `the application cannot start: ${cannotStart}` };
}

async function logResults(run: Workspace, results: readonly StepResult[]): Promise<undefined> {
  for (const { step, exitCode, seconds, output } of results) {
    await run.log.output(output);
    run.progress.finishStep({ name: step.name, seconds, exitCode });
  }
}

async function runOne(
  run: Workspace,
  step: Step,
  signal?: AbortSignal,
  umask?: number,
): Promise<StepFailure | undefined> {
  signal?.throwIfAborted();
  const trouble = await troubleWith(run, step, signal, umask);
  if (trouble === undefined) return undefined;
  if (step.onFailure !== 'warn') return { type: 'step-failed', step: step.name, ...trouble };
  const why = `${trouble.because}${trouble.reason === undefined ? '' : `: ${trouble.reason}`}`;
  await run.log.line('INFO', `Step ${step.name} failed, which is only a warning: ${why}`);
  return undefined;
}

/** What the probe of a step says in one line where it fails; undefined where it does not, or where there is none. */
export async function probeFailure(run: Workspace, step: Step): Promise<string | undefined> {
  const { probe, folder, environment } = step;
  if (probe === undefined) return undefined;
  const { exitCode, stdout, stderr } = await runStep(run, `${step.name} at the commit before`, probe, {
    env: { ...terminal, ...run.settings.environment, ...environment },
    ...(folder === undefined ? {} : { cwd: `${run.checkout.directory}/${folder}` }),
  });
  return exitCode === 0 ? undefined : (await withoutSecrets(run, exitTrouble(exitCode, stdout + stderr))).reason;
}

/** What Monolog adds to the error whose report fails. The artisan of Laravel 9 and older then exits 0. */
const unreported = /^\s*The exception occurred while attempting to log: /m;

async function troubleWith(
  run: Workspace,
  step: Step,
  signal?: AbortSignal,
  umask?: number,
): Promise<StepTrouble | undefined> {
  const { files, clock } = run.host;
  const { directory } = run.checkout;
  const startedAt = clock.wallAt();
  const { exitCode, stdout, stderr } = await runStep(run, step.name, step.command, {
    env: { ...terminal, ...run.settings.environment, ...step.environment },
    ...(step.folder === undefined ? {} : { cwd: `${directory}/${step.folder}` }),
    ...(step.timeout === undefined ? {} : { timeoutSeconds: step.timeout }),
    ...(signal === undefined ? {} : { signal }),
    ...(umask === undefined ? {} : { umask }),
  });
  if (exitCode !== 0) return withoutSecrets(run, exitTrouble(exitCode, stdout + stderr));
  if (unreported.test(stdout + stderr))
    return { because: "exit code 0, but an error that could not be written to Laravel's log" };
  const wrong = step.leaves === undefined ? [] : await wrongAfter(files, directory, step.leaves, startedAt);
  if (step.leaves !== undefined && wrong.length > 0)
    return { because: await effectSentence(files, directory, step.leaves, wrong) };
  await publish(files, directory, step.publish ?? []);
  return undefined;
}

async function withoutSecrets(run: Workspace, { reason, ...trouble }: StepTrouble): Promise<StepTrouble> {
  return reason === undefined ? trouble : { ...trouble, reason: await asReason(run, reason) };
}

/** How a step ended, and what to do where PHP found no artisan: its own words are in the log. */
export function exitTrouble(exitCode: number, output: string): StepTrouble {
  const because = `exit code ${exitCode}`;
  const reason = errorShown(output);
  if (!/^Could not open input file: artisan$/m.test(output))
    return reason === undefined ? { because } : { because, reason };
  const advice = 'a site that is not Laravel needs --preset none';
  return { because: `${because}, because there is no artisan in the checkout; ${advice}`, lacks: 'artisan' };
}

/** Renames what was built aside onto what is in use, file by file: no request meets a missing or partial file. */
async function publish(files: Files, directory: string, publications: readonly Publication[]): Promise<void> {
  for (const { from, to } of publications) {
    const built = `${directory}/${from}`;
    if ((await files.stat(built))?.kind !== 'folder') {
      await replace(files, built, `${directory}/${to}`);
      continue;
    }
    for (const name of await files.list(built))
      await replace(files, `${built}/${name}`, `${directory}/${to}/${name}`, true);
    await files.remove(built);
  }
}

/** The new file gets the mode of the old one; with `more` whoever its own mode lets read it may do so too. */
async function replace(files: Files, from: string, to: string, more = false): Promise<void> {
  const [fresh, old] = [await files.stat(from), await files.stat(to)];
  if (fresh?.kind === 'file' && old?.kind === 'file') {
    const mode = more ? old.mode | fresh.mode : old.mode;
    if (mode !== fresh.mode) await files.setMode(from, mode);
  }
  await files.rename(from, to);
}
