import type { Signal } from '../host/host.ts';
import type { ServerDocument, ServerEnd } from './document.ts';

/** POSIX, signal.h. */
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** From the worst on. 3 stands below 1: it promises that all servers are healthy. */
const worstFirst = [5, 4, 70, 1, 2, 3, 6];

/** The exit code of all servers together: the worst wins (docs/contract.md, "Exit codes of many servers"). */
export function fleetExitCode(servers: readonly ServerDocument[], signal?: Signal): number {
  const codes = new Set(servers.map(codeOf));
  const worst = worstFirst.find((code) => codes.has(code)) ?? 0;
  if (signal === undefined) return worst;
  const isSettled = worst !== 5 && worst !== 4 && servers.every(({ state }) => state !== 'lost');
  return isSettled ? 128 + signalNumbers[signal] : 5;
}

function codeOf(server: ServerDocument): number {
  const { undone, restore } = server;
  if (restore !== null && restore.exitCode !== 0) return 5;
  if (undone === null) return codeOfEnd(server);
  if (undone.exitCode === 0) return 3;
  return undone.exitCode === 4 ? 4 : 5;
}

/** A server whose run was stopped by a signal counts as what it ended as. */
function codeOfEnd({ state, exitCode }: ServerEnd): number {
  if (exitCode === null) return 0;
  if (exitCode < 128) return worstFirst.includes(exitCode) || exitCode === 0 ? exitCode : 1;
  return { verified: 0, unchanged: 0, updated: 0, 'rolled-back': 3 }[state as string] ?? 1;
}

/** The end of a server as a clause. */
export function outcome(server: ServerDocument): string {
  const { state, newCommit, previousCommit, because } = server;
  const commit = isDone(server) ? newCommit : previousCommit;
  return `${state}${commit === null ? '' : ` at ${commit.slice(0, 7)}`}${because === null ? '' : `: ${because}`}`;
}

/** Whether the server is where it was to be brought. */
export function isDone(server: ServerDocument): boolean {
  return server.state !== 'not-begun' && codeOf(server) === 0;
}
