import type { DeploymentFact } from '../../deployment/record/events.ts';
import type { VisitorCounts } from '../../deployment/record/visitor-counts.ts';

/** What visitors got whose requests began in this second. */
export interface VisitedSecond extends VisitorCounts {
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The seconds with a request, in order. Answers that came late are added to the second in which they were asked for. */
export function visitedSeconds(facts: readonly DeploymentFact[]): readonly VisitedSecond[] {
  const seconds = new Map<number, VisitedSecond>();
  for (const fact of facts) {
    if (fact.type !== 'visitors-counted') continue;
    const at = Date.parse(fact.second);
    seconds.set(at, added(seconds.get(at) ?? { at, requests: 0, failed: 0, slow: 0, torn: 0 }, fact));
  }
  return [...seconds.values()].toSorted((one, other) => one.at - other.at);
}

const added = (sum: VisitedSecond, { requests, failed, slow, torn }: VisitorCounts): VisitedSecond => ({
  at: sum.at,
  requests: sum.requests + requests,
  failed: sum.failed + failed,
  slow: sum.slow + slow,
  torn: sum.torn + torn,
});
