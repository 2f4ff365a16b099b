import type { Files } from '../../host/host.ts';
import { readJournal } from '../../journal/journal.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import type { DeployDocument } from './document.ts';
import type { DeploymentFact, RunKind } from './events.ts';
import { isDeploymentFact } from './fact-shape.ts';
import { isHealthy } from './health.ts';
import type { Performer } from './performer.ts';

/** One run, from its facts in the journal. */
export interface RunRecord {
  readonly id: string;
  readonly kind: RunKind;
  readonly branch: string;
  readonly mode: DeploymentSettings['mode'];
  readonly startedAt: string;
  readonly pid: number;
  readonly bootId: string;
  /** Who started it; absent in journals from before it was recorded. */
  readonly by?: Performer;
  /** Why, in the words of `--message`. */
  readonly message?: string;
  /** The last reset that it intended: from which commit to which. */
  readonly reset?: { readonly from: string; readonly to: string };
  /** The commit that its repair of a killed run verified, before its own work. */
  readonly repairedTo?: string;
  /** The commit that it had verified; a run that was killed after that only lacks its end. */
  readonly verified?: string;
  /** The commit that it rolled back to, or intended to. */
  readonly rolledBackTo?: string;
  /** The commit that was found bad, and why. */
  readonly quarantined?: { readonly commit: string; readonly because: string };
  /** What it warned of, a sentence each. */
  readonly warnings?: readonly string[];
  /** Processes that it started and whose end is not recorded. */
  readonly children: readonly Child[];
  /** Absent when the run was killed, or still runs. */
  readonly document?: DeployDocument;
}
export interface Child {
  readonly pid: number;
  readonly startTicks: string;
}

/** All runs of a checkout, oldest first. */
export async function readHistory(files: Files, stateFolder: string): Promise<readonly RunRecord[]> {
  return runsOf(await readFacts(files, stateFolder));
}

/** The facts of the runs whose id begins so. */
export async function factsOfRun(files: Files, stateFolder: string, id: string): Promise<readonly DeploymentFact[]> {
  return (await readFacts(files, stateFolder)).filter(({ run }) => run.startsWith(id));
}

/** The id of the run that began last; undefined where nothing has run. */
export async function lastRunId(files: Files, stateFolder: string): Promise<string | undefined> {
  return (await readHistory(files, stateFolder)).at(-1)?.id;
}

async function readFacts(files: Files, stateFolder: string): Promise<readonly DeploymentFact[]> {
  return (await readJournal<DeploymentFact>(files, journalPath(stateFolder), isDeploymentFact))?.facts ?? [];
}

/** The runs in these facts, oldest first. */
export function runsOf(facts: readonly DeploymentFact[]): readonly RunRecord[] {
  const runs = new Map<string, RunRecord>();
  for (const fact of facts) {
    const before = runs.get(fact.run);
    const after = fact.type === 'run-started' ? begun(fact) : before && withFact(before, fact);
    if (after !== undefined) runs.set(fact.run, after);
  }
  return [...runs.values()];
}

function begun(fact: Extract<DeploymentFact, { type: 'run-started' }>): RunRecord {
  const { run, kind, branch, mode = 'in-place', at, pid, bootId, by, message } = fact;
  return {
    id: run,
    kind,
    branch,
    mode,
    startedAt: at,
    pid,
    bootId,
    ...(by === undefined ? {} : { by }),
    ...(message === undefined ? {} : { message }),
    children: [],
  };
}

function withFact(run: RunRecord, fact: DeploymentFact): RunRecord {
  switch (fact.type) {
    case 'reset-intended':
      return { ...run, reset: { from: fact.from, to: fact.to } };
    case 'rollback-intended':
      return { ...run, rolledBackTo: fact.to, ...quarantine(fact) };
    case 'child-started':
      return { ...run, children: [...run.children, { pid: fact.pid, startTicks: fact.startTicks }] };
    case 'step-finished':
      return { ...run, children: [] };
    case 'run-finished':
      return { ...run, document: fact.document };
    case 'run-started':
    case 'baseline-checked':
    case 'local-edits-found':
    case 'visitors-counted':
      return run;
    case 'notified':
      return run.document === undefined
        ? run
        : { ...run, document: { ...run.document, notifications: fact.notifications } };
    case 'warned':
      return { ...run, warnings: [...(run.warnings ?? []), ...fact.warnings] };
    case 'state-changed':
      return { ...(fact.event.type === 'environment-blamed' ? notBad(run) : run), ...proof(fact) };
  }
}

function proof({ to, event }: Extract<DeploymentFact, { type: 'state-changed' }>) {
  if (event.type === 'repaired' && isHealthy(event)) return { repairedTo: event.commit };
  return event.type === 'health-checked' && to === 'verified' ? { verified: event.commit } : {};
}

/** The run without what it held against its commit. */
function notBad({ quarantined: _, ...run }: RunRecord): RunRecord {
  return run;
}

function quarantine({
  from,
  because,
}: {
  readonly from: string;
  readonly because?: string;
}): Pick<RunRecord, 'quarantined'> {
  return because === undefined ? {} : { quarantined: { commit: from, because } };
}

/** The commit that last passed the health check; undefined when none ever did. */
export function lastVerified(runs: readonly RunRecord[]): string | undefined {
  return runs.flatMap((run) => [run.repairedTo, verifiedCommit(run)]).findLast((commit) => commit !== undefined);
}

/**
 * The verified commits that a rollback from `present` may go to, the newest first. A commit's place is where a deploy
 * verified it last: a rollback to it moves nothing, so that going back again does not go forward.
 */
export function verifiedBefore(runs: readonly RunRecord[], present: string): readonly string[] {
  const placed = new Map<string, Placement>();
  for (const [at, run] of runs.entries()) {
    for (const [commit, byDeploy] of placements(run))
      if (byDeploy || placed.get(commit)?.byDeploy !== true) placed.set(commit, { at, byDeploy });
  }
  const end = placed.get(present)?.at ?? Number.POSITIVE_INFINITY;
  return [...placed]
    .filter(([commit, { at }]) => commit !== present && at < end)
    .toSorted(([, one], [, other]) => other.at - one.at)
    .map(([commit]) => commit);
}

interface Placement {
  /** The index of the run. */
  readonly at: number;
  readonly byDeploy: boolean;
}

/**
 * The commits that a run verified, and whether it deployed them: a deploy that repairs first has put back an older one
 * before.
 */
function placements(run: RunRecord): readonly (readonly [commit: string, byDeploy: boolean])[] {
  const deployed = run.kind === 'deploy' && run.document?.state === 'verified' ? run.document.newCommit : undefined;
  return [run.repairedTo, verifiedCommit(run)].flatMap((commit) =>
    commit === undefined ? [] : [[commit, commit === deployed] as const],
  );
}

/** The commit that a run verified: the one that it deployed, or the one that it rolled back to. */
export function verifiedCommit({ document, rolledBackTo, verified }: RunRecord): string | undefined {
  if (document === undefined) return verified;
  if (document?.state === 'verified') return document.newCommit ?? undefined;
  if (document?.state === 'rolled-back' && document.httpStatus === 200) return rolledBackTo;
  return undefined;
}

/** Where the journal of a checkout is. */
export function journalPath(stateFolder: string): string {
  return `${stateFolder}/journal.jsonl`;
}
