import type { Files } from '../../host/host.ts';
import { readJournal } from '../../journal/journal.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import type { DeployDocument } from './document.ts';
import type { DeploymentFact, RunKind } from './events.ts';
import { isHealthy } from './health.ts';

/** One run as the journal tells it. */
export interface RunRecord {
  readonly id: string;
  readonly kind: RunKind;
  readonly branch: string;
  readonly mode: DeploymentSettings['mode'];
  readonly startedAt: string;
  readonly pid: number;
  readonly bootId: string;
  /** The last place that it went to, or meant to: from which commit to which. */
  readonly reset?: { readonly from: string; readonly to: string };
  /** The commit that it proved before it began, when it had a killed run to repair. */
  readonly repairedTo?: string;
  /** The commit that it had proved when it was killed: all that was left to do was to write down its end. */
  readonly verified?: string;
  /** Where it went back to. */
  readonly rolledBackTo?: string;
  /** The commit that was found bad, and why. */
  readonly quarantined?: { readonly commit: string; readonly because: string };
  /** Processes that it started and whose end it has not told. */
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

async function readFacts(files: Files, stateFolder: string): Promise<readonly DeploymentFact[]> {
  return (await readJournal<DeploymentFact>(files, journalPath(stateFolder)))?.facts ?? [];
}

/** The runs that these facts tell of. */
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
  const { run, kind, branch, mode = 'in-place', at, pid, bootId } = fact;
  return { id: run, kind, branch, mode, startedAt: at, pid, bootId, children: [] };
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
      return run;
    case 'state-changed':
      return { ...run, ...proof(fact) };
  }
}

function proof({ to, event }: Extract<DeploymentFact, { type: 'state-changed' }>) {
  if (event.type === 'repaired' && isHealthy(event)) return { repairedTo: event.commit };
  return event.type === 'health-checked' && to === 'verified' ? { verified: event.commit } : {};
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

/** The commit that last passed the health check, other than these; undefined when none ever did. */
export function lastVerified(runs: readonly RunRecord[], except: readonly string[] = []): string | undefined {
  const proved = runs.flatMap((run) => [run.repairedTo, verifiedCommit(run)]);
  return proved.findLast((commit) => commit !== undefined && !except.includes(commit));
}

/** What a run proved healthy: the commit that it went to, or the one that it went back to. */
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
