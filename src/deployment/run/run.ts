import { readableDuration } from '../../figures/figures.js';
import { OperationError } from '../../host/errors.ts';
import type { Command, CommandResult, Host } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { startTicksOf } from '../checkout/owner.ts';
import type { DeploymentLog } from '../log/deployment-log.ts';
import type { RunProgress } from '../log/progress.ts';
import type { SiteKnowledge } from '../record/health.ts';
import type { Trust } from '../record/trust.ts';
import type { Environment } from '../settings/environment.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import type { RunJournal } from './run-journal.ts';

/** The variable that every command of a run has in its environment: the run's id. */
export const runVariable = 'HOLDFAST_RUN';

/**
 * A checkout in the hands of one run: where its commands run, and where their output, their time and their facts go.
 */
export interface Workspace {
  readonly id: string;
  readonly host: Host;
  readonly settings: DeploymentSettings;
  readonly checkout: Checkout;
  readonly log: DeploymentLog;
  readonly progress: RunProgress;
  readonly journal: RunJournal;
}

/** One deploy, rollback, repair or backup. */
export interface Run extends Workspace {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** What earlier runs have verified, and what killed ones have left. */
  readonly trust: Trust;
  /** Aborted by the first signal. */
  readonly interruption: AbortSignal;
  readonly site: SiteKnowledge;
}

export interface StepOptions {
  readonly env: Environment;
  /**
   * Standard output is an answer for the program, whole or an `OperationError`, and only standard error goes to the
   * log.
   */
  readonly answers?: true;
  /** Exit code 1 is an answer too, as that of `grep`: it is no failed step. */
  readonly oneIsAnswer?: true;
  /** Ends the command when it is aborted; without it the command runs to its end. */
  readonly signal?: AbortSignal;
  readonly timeoutSeconds?: number;
  readonly stdin?: string;
  readonly umask?: number;
  /** Where it runs; absent: at the checkout's top. */
  readonly cwd?: string;
}

/** The same run, for what is finished whatever signal comes. */
export function uninterrupted<R extends { readonly interruption: AbortSignal }>(run: R): R {
  return { ...run, interruption: new AbortController().signal };
}

/** Runs one command in the checkout; its output goes to the log, its time to the report. */
export async function runStep(
  run: Workspace,
  name: string,
  command: Command,
  options: StepOptions,
): Promise<CommandResult> {
  const timeoutSeconds = options.timeoutSeconds ?? run.settings.commandTimeout;
  run.progress.beginStep(name, timeoutSeconds);
  const result = await run.host.run(command, {
    cwd: options.cwd ?? run.checkout.directory,
    env: { ...options.env, [runVariable]: run.id },
    timeoutSeconds,
    started: (child) => recordChild(run, child.pid),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    ...(options.umask === undefined ? {} : { umask: options.umask }),
    ...(options.answers ? {} : { isForLog: true }),
  });
  await run.log.output(options.answers ? result.stderr : `${result.stdout}${result.stderr}`);
  if (result.timedOut) await run.log.output(`${name} was ended after ${readableDuration(timeoutSeconds)}\n`);
  const exitCode = options.oneIsAnswer && result.exitCode === 1 ? 0 : result.exitCode;
  run.progress.finishStep({ name, seconds: result.seconds, exitCode });
  return result;
}

/** A git command in the checkout. */
export function runGit(
  run: Workspace,
  name: string,
  command: Command,
  options: Omit<StepOptions, 'env'> = {},
): Promise<CommandResult> {
  return runStep(run, name, command, { ...options, env: run.checkout.gitEnvironment });
}

/**
 * What a git command in the checkout lists, whole. A command that fails is an `OperationError`: a part of a list is no
 * answer.
 */
export async function listByGit(
  run: Workspace,
  name: string,
  command: Command,
  options: Omit<StepOptions, 'env' | 'answers'> = {},
): Promise<string> {
  const { exitCode, stdout, stderr } = await runGit(run, name, command, { ...options, answers: true });
  if (exitCode === 0) return stdout;
  const said = stderr.trim().split('\n').at(-1) ?? '';
  const reason = said === '' ? `git ended with exit code ${exitCode}` : said;
  throw new OperationError({ tried: `Asking git for ${name} in`, on: run.checkout.directory, reason });
}

/** Records a child process: if this run is killed, a later one ends what it left running. */
export async function recordChild(run: Workspace, pid: number): Promise<void> {
  const startTicks = await startTicksOf(run.host.files, pid);
  if (startTicks === undefined) return;
  run.journal.record({ type: 'child-started', pid, startTicks });
  await run.journal.flush().catch(() => undefined);
}
