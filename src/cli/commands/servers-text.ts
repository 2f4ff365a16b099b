import type { FleetDocument, ServerDocument } from '../../fleet/document.ts';
import { isDone } from '../../fleet/exit-code.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { FleetStatus, ServerStatus } from '../../fleet/fleet-status.ts';
import type { Output } from '../../host/host.ts';
import { printable } from '../../report/printable.ts';
import { table } from '../../report/table.ts';
import { fitted } from '../command/hanging-indent.ts';
import { historyLine } from './history.ts';

/** The result of each server: a row each, then the reasons, then what to do next. */
export function rollOutText(
  { hosts, exitCode }: FleetDocument,
  out: Output,
  { dryRun }: Pick<Fleet, 'dryRun'>,
): string {
  const rows = hosts.map((host) => [
    host.host,
    host.undone === null ? host.state : `${host.state}, then undone`,
    commitOf(host),
    secondsOf(host),
  ]);
  const reasons = hosts.flatMap((host) =>
    reasonsOf(host).map((because) => fitted(out, `! ${host.host}: `, printable(because), 2)),
  );
  const ends = dryRun && exitCode === 0 ? 'Nothing was changed: every server can be given the command' : endOf(hosts);
  return `${[table([['Host', 'State', 'Commit', 'Time'], ...rows], { columns: out.columns, isBroken: out.isTTY }), ...reasons, `${ends}, exit ${exitCode}`].join('\n')}\n`;
}

function reasonsOf({ because, undone }: ServerDocument): readonly string[] {
  return [because, undone?.because ?? null].filter((reason) => reason !== null);
}

/** Where it is; of a server that was only looked at where it would go. */
function commitOf(host: ServerDocument): string {
  const { newCommit, previousCommit, undone, state } = host;
  const isThere = isDone(host) && undone === null;
  return short(isThere || state === 'not-begun' ? newCommit : previousCommit);
}

function secondsOf({ startedAt, finishedAt }: ServerDocument): string {
  if (startedAt === null || finishedAt === null) return '-';
  return `${((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000).toFixed(1)} s`;
}

function endOf(hosts: readonly ServerDocument[]): string {
  const done = hosts.filter(isDone).length;
  const notBegun = hosts.filter(({ exitCode }) => exitCode === null).length;
  const rest = notBegun === 0 ? '' : `, ${notBegun} not begun`;
  return `${done} of ${hosts.length} done${rest}`;
}

/** The state of the servers: a row each, then what is wrong. */
export function statusText({ hosts, problems }: FleetStatus, out: Output): string {
  const rows = hosts.map((host) => [host.host, short(host.commit), short(lastVerifiedOf(host)), lastRunOf(host)]);
  const wrong = hosts.flatMap((host) =>
    host.problems.map((problem) => fitted(out, `! ${host.host}: `, printable(problem), 2)),
  );
  const together = problems.map((problem) => fitted(out, '! ', problem));
  const head = ['Host', 'Commit', 'Last verified', 'Last run'];
  return `${[table([head, ...rows], { columns: out.isTTY ? out.columns : Number.POSITIVE_INFINITY, isBroken: out.isTTY }), ...wrong, ...together].join('\n')}\n`;
}

const lastVerifiedOf = ({ lastVerifiedCommit }: ServerStatus): string | null =>
  typeof lastVerifiedCommit === 'string' ? lastVerifiedCommit : null;

function lastRunOf({ lastRun }: ServerStatus): string {
  const run = lastRun as Parameters<typeof historyLine>[0] | null | undefined;
  return run ? printable(historyLine(run)).replaceAll(/ +/g, ' ') : '-';
}

const short = (commit: string | null): string => commit?.slice(0, 7) ?? '-';
