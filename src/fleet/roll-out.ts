import type { BatchSize } from '../deployment/settings/servers.ts';
import { inParallel } from '../host/in-parallel.ts';
import { aroundServer } from './around-server.ts';
import { checkServer } from './check-server.ts';
import { endWithout, type FleetDocument, type ServerDocument } from './document.ts';
import { fleetExitCode, isDone, outcome } from './exit-code.ts';
import { type Fleet, mostConnections, type Task } from './fleet.ts';
import type { Documents, ReadyServer } from './place.ts';
import { runOnServer } from './run-on-server.ts';
import type { Server } from './server.ts';
import { undoDone } from './undo-done.ts';

/**
 * Gives every server its command, batch by batch. All are looked at before the first is changed. After a batch in which
 * one has failed, or a signal, no other is begun; those under way end. With `allOrNothing` those that are done go back.
 */
export async function rollOut(fleet: Fleet, servers: readonly Server[], task: Task): Promise<FleetDocument> {
  const documents = new Map(servers.map((server) => [server, untouched(server)]));
  const places = await checkAll(fleet, servers, task, documents);
  const commitOf = oneCommit(task, places);
  const taskOf = (place: ReadyServer): Task => withCommit(task, commitOf(place));
  if (fleet.dryRun)
    for (const place of places)
      documents.set(place.server, { ...untouched(place.server), newCommit: commitOf(place) ?? null });
  const done: (readonly ReadyServer[])[] = [];
  for (const [index, batch] of batchesOf(places, fleet.settings.batch).entries()) {
    if (fleet.dryRun || isStopped(fleet, documents)) break;
    done.push(batch);
    await runBatch(fleet, batch, index + 1, taskOf, documents);
  }
  if (fleet.settings.allOrNothing && isStopped(fleet, documents)) await undoDone(fleet, done, documents);
  const hosts = [...documents.values()];
  return { schemaVersion: 1, hosts, exitCode: fleetExitCode(hosts, fleet.received()) };
}

/**
 * The commit of each server. Those that deploy the same, a branch or what `--commit` names, get the id that the first
 * of them said when it was looked at, whatever is pushed meanwhile.
 */
function oneCommit({ command }: Task, places: readonly ReadyServer[]): (place: ReadyServer) => string | undefined {
  const commits = new Map<string, string>();
  const commitOf = (place: ReadyServer) => marksOf(place).flatMap((mark) => commits.get(mark) ?? [])[0];
  for (const place of command === 'deploy' ? places : []) {
    const commit = commitOf(place) ?? place.checked.newCommit;
    if (commit !== null) for (const mark of marksOf(place)) commits.set(mark, commits.get(mark) ?? commit);
  }
  return commitOf;
}

/** The server may get the branch or a tag as an option too: the last one counts. */
function withCommit(task: Task, commit: string | undefined): Task {
  return commit === undefined ? task : { ...task, words: [...task.words, `--commit=${commit}`] };
}

/** Servers with one of these in common deploy the same: their lines say so, or what is there now. */
function marksOf({ server: { config, options }, checked: { origin } }: ReadyServer): readonly string[] {
  const { branch, appDir, commit } = options;
  const byLine = JSON.stringify([config, branch, appDir, commit]);
  return origin === null ? [byLine] : [byLine, JSON.stringify([origin, commit])];
}

function untouched({ name }: Server): ServerDocument {
  const around = { batch: null, drain: null, restore: null, undone: null };
  return { host: name, ...endWithout('not-begun', null, null), ...around };
}

/** The servers that may start. If one may not, its document has the reason, and none starts. */
async function checkAll(
  fleet: Fleet,
  servers: readonly Server[],
  task: Task,
  documents: Documents,
): Promise<readonly ReadyServer[]> {
  const goesOn = () => fleet.received() === undefined;
  const places = await inParallel(servers, mostConnections, (server) => check(fleet, server, task, documents), goesOn);
  return places.filter((place) => place !== undefined);
}

async function check(fleet: Fleet, server: Server, task: Task, documents: Documents): Promise<ReadyServer | undefined> {
  const { name } = server;
  fleet.onFact({ server: name, phase: 'checking', said: 'checking' });
  const checked = await checkServer(fleet, server, task);
  if ('clockAheadSeconds' in checked) {
    fleet.onFact({ server: name, phase: 'ready', said: 'ready' });
    return { server, checked };
  }
  const { because, exitCode } = checked;
  documents.set(server, { ...untouched(server), ...endWithout('aborted', exitCode, because) });
  fleet.onFact({ server: name, phase: 'failed', said: because });
  return undefined;
}

async function runBatch(
  fleet: Fleet,
  batch: readonly ReadyServer[],
  number: number,
  taskOf: (place: ReadyServer) => Task,
  documents: Documents,
): Promise<void> {
  const one = async (place: ReadyServer): Promise<void> => {
    const { server, checked } = place;
    const { name } = server;
    const task = taskOf(place);
    const { end, ...around } = await aroundServer(fleet, server, () => {
      fleet.onFact({ server: name, phase: 'running', said: task.command });
      return runOnServer(fleet, server, checked, task);
    });
    const document: ServerDocument = { host: name, ...end, batch: number, ...around, undone: null };
    documents.set(server, document);
    fleet.onFact({ server: name, phase: isDone(document) ? 'done' : 'failed', said: outcome(document) });
  };
  await inParallel(batch, mostConnections, one, () => !isStopped(fleet, documents));
}

function isStopped(fleet: Fleet, documents: Documents): boolean {
  const begun = [...documents.values()].filter(({ exitCode }) => exitCode !== null);
  return fleet.received() !== undefined || begun.some((document) => !isDone(document));
}

/**
 * The servers in batches of these sizes, in their order; the last size holds until none is left. A percentage is of all
 * servers, rounded down, at least one.
 */
export function batchesOf<T>(servers: readonly T[], sizes: readonly BatchSize[]): readonly (readonly T[])[] {
  const batches: (readonly T[])[] = [];
  let begun = 0;
  while (begun < servers.length) {
    const size = sizes[Math.min(batches.length, sizes.length - 1)] ?? { servers: 1 };
    const count = sizeIn(size, servers.length);
    batches.push(servers.slice(begun, begun + count));
    begun += count;
  }
  return batches;
}

function sizeIn(size: BatchSize, all: number): number {
  return 'servers' in size ? size.servers : Math.max(1, Math.floor((size.percent * all) / 100));
}
