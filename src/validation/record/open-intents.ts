import type { ActionIntended, ValidationFact } from './events.ts';
import { ofType } from './records.ts';

/** An action that was begun and not undone. */
export interface OpenIntent extends ActionIntended {
  /** Its request had no response, so the server may still perform it. */
  readonly unanswered: boolean;
}

/**
 * The actions of a journal that were begun and not undone, newest first: those that `recover` undoes. An intent without
 * an `action-performed` counts, because the action may have been performed before the process ended. With `cleanup` the
 * objects that the run or an earlier `recover` kept count too.
 */
export function openIntents(
  facts: readonly ValidationFact[],
  { cleanup }: { readonly cleanup: boolean } = { cleanup: false },
): readonly OpenIntent[] {
  const closed = new Set<string>();
  const performed = new Map<string, unknown>();
  const failed = ofType(facts, 'action-failed').filter(({ unanswered }) => unanswered);
  const unanswered = new Set(failed.map(({ id }) => id));
  for (const fact of facts) {
    if (fact.type === 'action-undone' && fact.state !== 'failed' && !(cleanup && fact.openForCleanup))
      closed.add(fact.id);
    if (fact.type === 'action-performed' && fact.intent !== undefined) performed.set(fact.id, fact.intent);
  }
  return facts
    .filter((fact) => fact.type === 'action-intended')
    .filter(({ id }) => !closed.has(id))
    .map((fact) => ({
      ...fact,
      intent: performed.get(fact.id) ?? fact.intent,
      unanswered: unanswered.has(fact.id),
    }))
    .reverse();
}
