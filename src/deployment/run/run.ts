import type { Command, CommandResult, Host } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { startTicksOf } from '../checkout/owner.ts';
import type { DeploymentLog } from '../log/deployment-log.ts';
import type { Progress } from '../log/progress.ts';
import type { RunFactOf } from '../record/events.ts';
import type { Trust } from '../record/trust.ts';
import type { Environment } from '../settings/environment.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

/** The variable that every command of a run has in its environment: the run's id. */
export const runVariable = 'HOLDFAST_RUN';

/** What every step of one deploy or rollback works with. */
export interface Run {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly host: Host;
  readonly settings: DeploymentSettings;
  readonly checkout: Checkout;
  readonly log: DeploymentLog;
  readonly progress: Progress;
  /** What the runs before this one proved and left. */
  readonly trust: Trust;
  /** What this run keeps for a person to look at: `<state>/runs/<id>`. */
  readonly evidenceFolder: string;
  /** Takes secrets out of what is written elsewhere than in the log. */
  readonly redact: (text: string) => string;
  /** Aborted by the first signal: what can be given up is. */
  readonly interruption: AbortSignal;
  /** Returns when the fact is on disk; rejects when it cannot be, and then the deed must not be done. */
  readonly intend: (fact: RunFactOf) => Promise<void>;
  readonly record: (fact: RunFactOf) => void;
  /** Returns when what was recorded would survive the end of this process. */
  readonly flush: () => Promise<void>;
}

export interface StepOptions {
  readonly env: Environment;
  /** What git says on its standard output is an answer to us; only its other output belongs in the log. */
  readonly answers?: true;
  /** Ends the command when it is aborted; without it a signal waits for the command. */
  readonly signal?: AbortSignal;
  readonly timeoutSeconds?: number;
  readonly stdin?: string;
  readonly umask?: number;
}

/** Runs one command in the checkout; its output goes to the log, its time to the report. */
export async function runStep(run: Run, name: string, command: Command, options: StepOptions): Promise<CommandResult> {
  const timeoutSeconds = options.timeoutSeconds ?? run.settings.commandTimeout;
  const result = await run.host.run(command, {
    cwd: run.checkout.directory,
    env: { ...options.env, [runVariable]: run.id },
    timeoutSeconds,
    started: (child) => recordChild(run, child.pid),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    ...(options.umask === undefined ? {} : { umask: options.umask }),
  });
  await run.log.output(options.answers ? result.stderr : `${result.stdout}${result.stderr}`);
  if (result.timedOut) await run.log.output(`${name} was ended after ${timeoutSeconds} s\n`);
  run.progress.finishStep({ name, seconds: result.seconds, exitCode: result.exitCode });
  return result;
}

/** A git command in the checkout. */
export function runGit(
  run: Run,
  name: string,
  command: Command,
  options: Omit<StepOptions, 'env'> = {},
): Promise<CommandResult> {
  return runStep(run, name, command, { ...options, env: run.checkout.gitEnvironment });
}

/** A later run has to know what this one, if it is killed, leaves running. */
export async function recordChild(run: Run, pid: number): Promise<void> {
  const startTicks = await startTicksOf(run.host.files, pid);
  if (startTicks === undefined) return;
  run.record({ type: 'child-started', pid, startTicks });
  await run.flush().catch(() => undefined);
}
