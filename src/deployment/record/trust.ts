import { isEmptyTree } from '../git/commits.ts';
import { type RunRecord, verifiedCommit } from './history.ts';

/**
 * What the history says of commits: which one a rollback may go to, which were found bad, and what killed runs left.
 */
export interface Trust {
  /** The last verified commit, or the one before all unproved ones; undefined when there is neither. */
  readonly base?: string;
  /** Commits that runs went to and never verified. HEAD may be one of them. */
  readonly unproved: ReadonlySet<string>;
  /** Commits that failed their verification since they last passed one, and why. */
  readonly quarantined: ReadonlyMap<string, string>;
  /** Runs that were killed, and that no later run has repaired. */
  readonly killed: readonly RunRecord[];
  /**
   * Deploys and rollbacks that could neither be finished nor undone, and repairs of them, that no later run has
   * repaired.
   */
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
      // It has repaired what was killed before; a killed run that intended no reset needs no proof.
      return { ...trust, killed: trust.killed.filter(({ reset }) => reset !== undefined) };
    case 'verified':
    case 'rolled-back':
    case 'rolled-back-unhealthy':
      return withUnproved(trust, run);
    case 'rollback-failed':
      return withUnproved({ ...trust, failed: [...trust.failed, run] }, run);
  }
}

function withQuarantine(trust: Trust, run: RunRecord): Trust {
  const { quarantined } = run;
  if (quarantined === undefined || hasNotLeft(run)) return trust;
  return { ...trust, quarantined: new Map(trust.quarantined).set(quarantined.commit, quarantined.because) };
}

/**
 * Whether the commit that a person wanted to leave is still live, because the command `rollback` did not get away from
 * it.
 */
function hasNotLeft({ kind, document }: RunRecord): boolean {
  return kind === 'rollback' && (document?.state === 'aborted' || document?.state === 'rollback-failed');
}

/** A verified commit ends all doubts from before. */
function withProof(trust: Trust, verified: string): Trust {
  const quarantined = new Map(trust.quarantined);
  quarantined.delete(verified);
  return { base: verified, unproved: new Set(), quarantined, killed: [], failed: [] };
}

function withUnproved(trust: Trust, { reset }: RunRecord): Trust {
  if (reset === undefined) return trust;
  const unproved = { ...trust, unproved: new Set([...trust.unproved, reset.to]) };
  // The first deploy of a checkout comes from the empty tree, which is no commit to go back to.
  return isEmptyTree(reset.from) ? unproved : { ...unproved, base: trust.base ?? reset.from };
}

/**
 * The commit that a repair goes to: the target of the newest failed rollback of a deploy, or the commit that was
 * verified last.
 */
export function repairTarget({ base, killed, failed }: Trust): string | undefined {
  const last = killed.length === 0 ? failed.at(-1) : undefined;
  // The rollback that a person asked for did not happen: the commit before it stays.
  if (last?.kind === 'rollback') return base;
  return last?.rolledBackTo ?? (last?.kind === 'repair' ? last.reset?.to : undefined) ?? base;
}

/**
 * The commit that a rollback goes to: PREVIOUS_COMMIT, or where that was never verified, the commit that was verified
 * last.
 */
export function rollbackTarget(trust: Trust, previousCommit: string): string {
  const isDoubtful = trust.unproved.has(previousCommit) || trust.quarantined.has(previousCommit);
  return isDoubtful ? (trust.base ?? previousCommit) : previousCommit;
}
