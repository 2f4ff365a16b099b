import { repairTarget, type Trust } from './trust.ts';

/**
 * Why the live commit should not stay, and what to do next, as a sentence; undefined where it is the commit that a
 * rollback would go to, or where nothing is known against it.
 */
export function commitTrouble(trust: Trust, commit: string): string | undefined {
  if (commit === trust.base) return undefined;
  const because = trust.quarantined.get(commit);
  if (because !== undefined) return `The live commit ${commit} was found bad: ${because}; ${wayOut(trust)}.`;
  return trust.unproved.has(commit) ? `The live commit ${commit} was never verified; ${wayOut(trust)}.` : undefined;
}

function wayOut(trust: Trust): string {
  const { base, killed, failed } = trust;
  if (base === undefined) return 'no commit ever passed: deploy one that is healthy';
  const isRepairable = [...killed, ...failed].some(({ reset }) => reset !== undefined);
  return isRepairable
    ? `holdfast doctor --repair goes back to ${repairTarget(trust) ?? base}`
    : `holdfast rollback ${base} goes back to ${base}`;
}
