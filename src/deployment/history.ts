import type { Files } from '../host/host.ts';
import { readJournal } from '../journal/journal.ts';
import type { DeployDocument } from './document.ts';
import type { DeploymentFact, RunKind } from './events.ts';
import { journalPath } from './open-state.ts';

/** One run as the journal tells it. */
export interface RunRecord {
  readonly id: string;
  readonly kind: RunKind;
  readonly branch: string;
  readonly startedAt: string;
  readonly pid: number;
  /** Where it came from and where it was going, once it was about to change the tree. */
  readonly reset?: { readonly from: string; readonly to: string };
  /** Absent when the run was killed, or still runs. */
  readonly document?: DeployDocument;
}

/** All runs of a checkout, oldest first. */
export async function readHistory(files: Files, stateFolder: string): Promise<readonly RunRecord[]> {
  const journal = await readJournal<DeploymentFact>(files, journalPath(stateFolder));
  return runsOf(journal?.facts ?? []);
}

/** The facts of the runs whose id begins so. */
export async function factsOfRun(files: Files, stateFolder: string, id: string): Promise<readonly DeploymentFact[]> {
  const journal = await readJournal<DeploymentFact>(files, journalPath(stateFolder));
  return (journal?.facts ?? []).filter(({ run }) => run.startsWith(id));
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

function begun({ run, kind, branch, at, pid }: Extract<DeploymentFact, { type: 'run-started' }>): RunRecord {
  return { id: run, kind, branch, startedAt: at, pid };
}

function withFact(run: RunRecord, fact: DeploymentFact): RunRecord {
  if (fact.type === 'reset-intended') return { ...run, reset: { from: fact.from, to: fact.to } };
  if (fact.type === 'run-finished') return { ...run, document: fact.document };
  return run;
}

/** The commit that last passed the health check, other than this one; undefined when none ever did. */
export function lastVerified(runs: readonly RunRecord[], except?: string): string | undefined {
  return runs.map(verifiedCommit).findLast((commit) => commit !== undefined && commit !== except);
}

/** What a run proved healthy: the new commit, or the previous one after a rollback. */
function verifiedCommit({ document }: RunRecord): string | undefined {
  if (document?.state === 'verified') return document.newCommit ?? undefined;
  if (document?.state === 'rolled-back') return document.previousCommit ?? undefined;
  return undefined;
}
