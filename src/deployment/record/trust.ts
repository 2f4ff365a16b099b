import { isEmptyTree } from '../git/commits.ts';
import { type RunRecord, verifiedCommit } from './history.ts';

/** What the history says of commits: where it is good to return to, what was found bad, and what a killed run left behind. */
export interface Trust {
  /** Undefined when no run ever proved or left a commit. */
  readonly base?: string;
  /** Commits that runs went to and never proved. HEAD alone is never believed: it may be one of these. */
  readonly unproved: ReadonlySet<string>;
  /** Commits that failed their verification since they last passed one, and why. */
  readonly quarantined: ReadonlyMap<string, string>;
  /** Runs that were killed, and that no later run has repaired. */
  readonly killed: readonly RunRecord[];
  /** Deploys that could not go back, and repairs of them, that no later run has repaired. Where a person wanted to go by `rollback` is asked again. */
  readonly failed: readonly RunRecord[];
}

/** `runs` are those before the present one, oldest first. */
export function trustIn(runs: readonly RunRecord[]): Trust {
  return runs.reduce(after, { unproved: new Set(), quarantined: new Map(), killed: [], failed: [] });
}

function after(before: Trust, run: RunRecord): Trust {
  const repaired = run.repairedTo === undefined ? before : withProof(before, run.repairedTo);
  const trust = withQuarantine(repaired, run);
  const verified = verifiedCommit(run);
  if (verified !== undefined) return withProof(trust, verified);
  switch (run.document?.state) {
    case undefined:
      return withUnproved({ ...trust, killed: [...trust.killed, run] }, run);
    case 'updated':
      return { ...trust, unproved: new Set(), killed: [], failed: [] };
    case 'aborted':
      return trust;
    case 'unchanged':
      // It has looked after what was killed before; what had changed nothing needs no proof.
      return { ...trust, killed: trust.killed.filter(({ reset }) => reset !== undefined) };
    case 'verified':
    case 'rolled-back':
    case 'rolled-back-unhealthy':
      return withUnproved(trust, run);
    case 'rollback-failed':
      return withUnproved(run.kind === 'rollback' ? trust : { ...trust, failed: [...trust.failed, run] }, run);
  }
}

function withQuarantine(trust: Trust, { quarantined }: RunRecord): Trust {
  if (quarantined === undefined) return trust;
  return { ...trust, quarantined: new Map(trust.quarantined).set(quarantined.commit, quarantined.because) };
}

/** One commit that passed health repairs all that was left before. */
function withProof(trust: Trust, verified: string): Trust {
  const quarantined = new Map(trust.quarantined);
  quarantined.delete(verified);
  return { base: verified, unproved: new Set(), quarantined, killed: [], failed: [] };
}

function withUnproved(trust: Trust, { reset }: RunRecord): Trust {
  if (reset === undefined) return trust;
  const unproved = { ...trust, unproved: new Set([...trust.unproved, reset.to]) };
  // The first deploy comes from nothing, and nothing is no place to return to.
  return isEmptyTree(reset.from) ? unproved : { ...unproved, base: trust.base ?? reset.from };
}

/** Where a repair goes: the commit that passed health last, or where the newest rollback was going that failed. */
export function repairTarget({ base, killed, failed }: Trust): string | undefined {
  const last = killed.length === 0 ? failed.at(-1) : undefined;
  return last?.rolledBackTo ?? (last?.kind === 'repair' ? last.reset?.to : undefined) ?? base;
}

/** Where a rollback goes: PREVIOUS_COMMIT, unless it was never proved; then the commit that last was. */
export function rollbackTarget(trust: Trust, previousCommit: string): string {
  const isDoubtful = trust.unproved.has(previousCommit) || trust.quarantined.has(previousCommit);
  return isDoubtful ? (trust.base ?? previousCommit) : previousCommit;
}
