import { inParallel } from '../host/in-parallel.ts';
import { mostConnections } from './fleet.ts';
import { documentsIn, isCut, onServer, type Remote, saidBy } from './remote.ts';
import { isServerStatus } from './remote-documents.ts';
import { programLine } from './remote-script.ts';
import type { Server } from './server.ts';

/** `status --json` of many servers (docs/contract.md, "Other documents"). */
export interface FleetStatus {
  readonly schemaVersion: 1;
  readonly hosts: readonly ServerStatus[];
  /** What is wrong with the servers together, a sentence each. */
  readonly problems: readonly string[];
  readonly exitCode: number;
}

/** The document of `status` there; of a server that did not answer only these members, and why as a problem. */
export interface ServerStatus extends Readonly<Record<string, unknown>> {
  readonly host: string;
  readonly commit: string | null;
  readonly problems: readonly string[];
}

const statusSeconds = 120;

export async function fleetStatus(remote: Remote, servers: readonly Server[]): Promise<FleetStatus> {
  const answers = await inParallel(servers, mostConnections, (server) => statusOf(remote, server));
  const hosts = answers.filter((answer) => answer !== undefined);
  const problems = unlikeCommits(hosts);
  const isWrong = problems.length > 0 || hosts.some((host) => host.problems.length > 0);
  return { schemaVersion: 1, hosts, problems, exitCode: isWrong ? 1 : 0 };
}

async function statusOf(remote: Remote, server: Server): Promise<ServerStatus> {
  const answer = await onServer(remote, server, [programLine(server, 'status')], statusSeconds);
  const document = documentsIn(answer).find((one) => 'lastRun' in one && isServerStatus(one));
  const { name: host } = server;
  if (document !== undefined) return { host, commit: null, problems: [], ...document };
  const because = `${isCut(answer) ? 'It cannot be reached' : 'It cannot say its status'}: ${saidBy(answer)}.`;
  return { host, commit: null, problems: [because] };
}

/** Servers of one branch that show different commits, as a roll-out leaves them that has stopped. */
export function unlikeCommits(hosts: readonly ServerStatus[]): readonly string[] {
  const ofBranch = Map.groupBy(
    hosts.filter(({ commit }) => commit !== null),
    ({ lastRun }) => (lastRun as { readonly branch?: string } | null | undefined)?.branch ?? '',
  );
  return [...ofBranch.values()].flatMap((alike) => {
    const commits = Map.groupBy(alike, ({ commit }) => commit ?? '');
    if (commits.size < 2) return [];
    const counts = [...commits].map(([commit, at]) => `${at.length} at ${commit.slice(0, 7)}`);
    return [`The servers show different commits: ${counts.join(', ')}.`];
  });
}
