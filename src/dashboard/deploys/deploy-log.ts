import { inWords } from '../../deployment/log/fact-words.ts';
import type { DeploymentFact } from '../../deployment/record/events.ts';
import { next, type Tag } from '../../deployment/record/states.ts';

/** A line of the deploy's log, as in the deployment log but without the commands' output. */
export interface LogLine {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Null for a step, and for what the deployment log has without a tag. */
  readonly tag: Tag | null;
  readonly text: string;
}

export function deployLog(facts: readonly DeploymentFact[]): readonly LogLine[] {
  return facts.flatMap((fact) => {
    const text = inWords(fact);
    return text === undefined ? [] : [{ at: Date.parse(fact.at), tag: tagOf(fact), text }];
  });
}

function tagOf(fact: DeploymentFact): Tag | null {
  if (fact.type === 'state-changed') return next(fact.from, fact.event)?.log ?? null;
  if (fact.type === 'notified') return fact.notifications.every(({ ok }) => ok) ? 'INFO' : 'ERROR';
  return fact.type === 'step-finished' ? null : 'INFO';
}
