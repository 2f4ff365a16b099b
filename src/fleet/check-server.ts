import { isCommitId } from '../deployment/git/commits.ts';
import type { CommandResult } from '../host/host.ts';
import type { Fleet, Task } from './fleet.ts';
import { documentsIn, isCut, onServer, saidBy } from './remote.ts';
import { clockLine, programLine, versionLine } from './remote-script.ts';
import type { Server } from './server.ts';

/** Whether a server can be given its command: looked at before any of them is changed. */
export type Checked =
  | {
      /** The server's clock less ours, which is monotonic, in seconds. */
      readonly clockAheadSeconds: number;
      /** What a deploy would bring there; null where it is not to be said. */
      readonly newCommit: string | null;
      /** The commit and the branch there now, which no other repository has; null where it is not to be said. */
      readonly origin: string | null;
    }
  | { readonly because: string; readonly exitCode: 1 | 2 | 6 };

/** A login, the version, the state and the plan: what takes longer is trouble. */
const checkSeconds = 120;

/** Asks for the version first, then for what would stop the command. Changes nothing there. */
export async function checkServer(fleet: Fleet, server: Server, task: Task): Promise<Checked> {
  const { remote, version } = fleet;
  const plan = task.command === 'deploy' ? [programLine(server, 'deploy', [...task.words, '--dry-run'])] : [];
  const status = programLine(server, 'status');
  // A server whose checkout is still to be cloned has no status.
  const lines = [clockLine, `${versionLine(server)} || exit`, `${status} 2>/dev/null || :`, ...plan];
  const answer = await onServer(remote, server, lines, checkSeconds);
  const clockAheadSeconds = clockIn(answer) - remote.host.clock.monotonicSeconds();
  const newCommit = commitIn(answer, 'newCommit');
  return troubleIn(answer, server, version) ?? { clockAheadSeconds, newCommit, origin: originIn(answer) };
}

/** What stops the command, or undefined. */
export function troubleIn(
  answer: CommandResult,
  server: Pick<Server, 'program'>,
  version: string,
): Extract<Checked, { because: string }> | undefined {
  if (isCut(answer)) return { because: `it cannot be reached: ${saidBy(answer)}`, exitCode: 1 };
  if (answer.exitCode === 127 || answer.exitCode === 126) return notInstalled(answer, server);
  const there = versionIn(answer);
  if (there !== undefined && !isCompatible(there, version)) return otherVersion(there, version);
  const [status, plan] = [found(answer, 'lock'), found(answer, 'refusals')];
  const locked = status && lockedBy(status);
  if (locked !== undefined) return { because: locked, exitCode: 6 };
  if (answer.exitCode !== 0 || there === undefined) return { because: saidBy(answer), exitCode: 2 };
  return refusedBy((plan?.refusals ?? []) as readonly string[]);
}

function found(answer: CommandResult, member: string): Readonly<Record<string, unknown>> | undefined {
  return documentsIn(answer).find((one) => member in one);
}

function commitIn(answer: CommandResult, member: 'newCommit' | 'previousCommit'): string | null {
  const commit = found(answer, 'refusals')?.[member];
  return typeof commit === 'string' && isCommitId(commit) ? commit : null;
}

function originIn(answer: CommandResult): string | null {
  const commit = commitIn(answer, 'previousCommit');
  const branch = found(answer, 'refusals')?.branch;
  return commit === null || typeof branch !== 'string' ? null : `${commit} ${branch}`;
}

function refusedBy(refusals: readonly string[]): Extract<Checked, { because: string }> | undefined {
  return refusals.length === 0 ? undefined : { because: refusals.join(' '), exitCode: 2 };
}

function notInstalled(
  answer: CommandResult,
  { program }: Pick<Server, 'program'>,
): Extract<Checked, { because: string }> {
  const because = `${program.join(' ')} does not start there: ${saidBy(answer)}; install holdfast, or name its path with program=`;
  return { because, exitCode: 2 };
}

function otherVersion(there: string, here: string): Extract<Checked, { because: string }> {
  return { because: `holdfast is ${there} there and ${here} here: install the same version on both ends`, exitCode: 2 };
}

/** The seconds and the version are the first lines of their form: a login may print lines of its own. */
const clockIn = ({ stdout }: CommandResult): number => Number(/^\d{9,11}$/m.exec(stdout)?.[0] ?? Number.NaN);
const versionIn = ({ stdout }: CommandResult): string | undefined =>
  /^\d+\.\d+\.\d+(?:[-+][\w.-]+)?$/m.exec(stdout)?.[0];

/**
 * Semantic Versioning 2.0.0: before 1.0 a new minor version may change everything, from then on a new major version.
 */
export function isCompatible(one: string, other: string): boolean {
  const [parts, others] = [one.split('.'), other.split('.')];
  return parts[0] === others[0] && (parts[0] !== '0' || parts[1] === others[1]);
}

/** The lock of a living process, or the freeze of a person. */
function lockedBy(status: Readonly<Record<string, unknown>>): string | undefined {
  const lock = status.lock as { readonly owner?: { readonly pid?: number }; readonly dead?: boolean } | null;
  const frozen = status.frozen as { readonly reason?: string } | null;
  if (frozen) return `deploys are frozen: ${frozen.reason ?? 'no reason is given'}; holdfast unlock there allows them`;
  return lock && lock.dead !== true ? `process ${lock.owner?.pid} holds the lock there` : undefined;
}
