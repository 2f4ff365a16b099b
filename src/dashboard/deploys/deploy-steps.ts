import type { DeploymentFact } from '../../deployment/record/events.ts';
import { isHealthy } from '../../deployment/record/health.ts';

/** A step that has ended, as a bar of the waterfall. Instants are epoch milliseconds. */
export interface Step {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly isHealth: boolean;
  readonly isFailed: boolean;
  /** A step of the rollback. */
  readonly isBack: boolean;
}

/** The steps in the order of their ends. A health check has failed where its answer was not good, although it could be made. */
export function deploySteps(facts: readonly DeploymentFact[]): readonly Step[] {
  const turn = facts.findIndex((fact) => fact.type === 'state-changed' && fact.to === 'rolling-back');
  return facts.flatMap((fact, index) => {
    if (fact.type !== 'step-finished') return [];
    const to = Date.parse(fact.at);
    const isHealth = isHealthStep(fact.name);
    const isFailed = fact.exitCode !== 0 || (isHealth && isBadAfter(facts.slice(index)));
    const isBack = turn !== -1 && index > turn;
    return [{ name: fact.name, from: to - fact.seconds * 1000, to, isHealth, isFailed, isBack }];
  });
}

const isHealthStep = (name: string): boolean => name === 'health' || name === 'health before';

/** Whether the next judged answer is bad. */
function isBadAfter(facts: readonly DeploymentFact[]): boolean {
  for (const fact of facts) if (fact.type === 'state-changed' && 'status' in fact.event) return !isHealthy(fact.event);
  return false;
}
