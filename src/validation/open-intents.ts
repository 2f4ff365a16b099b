import type { ActionIntended, ValidationFact } from './events.ts';

/**
 * Pure. The actions of a journal that were begun and not put back, newest first: what `recover` undoes. An intent without
 * an `action-performed` counts, because the deed may have been made before the process ended.
 */
export function openIntents(facts: readonly ValidationFact[]): readonly ActionIntended[] {
  const closed = new Set(
    facts.flatMap((fact) => (fact.type === 'action-undone' && fact.state !== 'failed' ? [fact.id] : [])),
  );
  return facts.filter((fact) => fact.type === 'action-intended' && !closed.has(fact.id)).reverse() as ActionIntended[];
}
