import type { ActionIntended, ValidationFact } from './events.ts';
import { ofType } from './records.ts';

/** An action that was begun and not put back, as it is known by now. */
export interface OpenIntent extends ActionIntended {
  /** Its deed got no answer: the server may make it yet. */
  readonly unanswered: boolean;
}

/**
 * Pure. The actions of a journal that were begun and not put back, newest first: what `recover` undoes. An intent without
 * an `action-performed` counts, because the deed may have been made before the process ended. With `cleanup` also what an earlier
 * `recover` left in place for want of it.
 */
export function openIntents(
  facts: readonly ValidationFact[],
  { cleanup }: { readonly cleanup: boolean } = { cleanup: false },
): readonly OpenIntent[] {
  const closed = new Set<string>();
  const told = new Map<string, unknown>();
  const failed = ofType(facts, 'action-failed').filter(({ unanswered }) => unanswered);
  const unanswered = new Set(failed.map(({ id }) => id));
  for (const fact of facts) {
    if (fact.type === 'action-undone' && fact.state !== 'failed' && !(cleanup && fact.openForCleanup))
      closed.add(fact.id);
    if (fact.type === 'action-performed' && fact.intent !== undefined) told.set(fact.id, fact.intent);
  }
  return facts
    .filter((fact) => fact.type === 'action-intended')
    .filter(({ id }) => !closed.has(id))
    .map((fact) => ({
      ...fact,
      intent: told.get(fact.id) ?? fact.intent,
      unanswered: unanswered.has(fact.id),
    }))
    .reverse();
}
