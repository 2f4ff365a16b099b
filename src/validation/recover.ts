import type { Journal } from '../journal/journal.ts';
import type { Undo } from './action.ts';
import type { ActionIntended, ValidationFact } from './events.ts';
import { openIntents } from './open-intents.ts';
import type { Site } from './scenario.ts';
import { notUndone, undoAction } from './undo-action.ts';

/** One action of an interrupted run, and what became of it. */
export interface Recovered {
  readonly intent: ActionIntended;
  readonly undo: Undo;
}

/**
 * Undoes what an interrupted run left, newest first, with nothing but its journal and the API. Idempotent: a second call
 * finds nothing open. Applied objects stay, as the specification leaves them, unless they are to be cleaned up.
 */
export async function recover(
  site: Site,
  facts: readonly ValidationFact[],
  journal: Journal<ValidationFact>,
  options: { readonly cleanup: boolean },
): Promise<readonly Recovered[]> {
  const recovered: Recovered[] = [];
  for (const intent of openIntents(facts)) {
    const undo =
      intent.action === 'apply-object' && !options.cleanup
        ? keepApplied(journal, intent.id)
        : await undoAction(site, journal, intent);
    recovered.push({ intent, undo });
  }
  return recovered;
}

/** What is open when the API server or the lease cannot be had: nothing was undone, and what to type for each. */
export function notReached(
  facts: readonly ValidationFact[],
  because: string,
  options: { readonly cleanup: boolean },
): readonly Recovered[] {
  return openIntents(facts)
    .filter(({ action }) => options.cleanup || action !== 'apply-object')
    .map((intent) => ({ intent, undo: notUndone(intent, because) }));
}

/** The specification leaves the pool and the application in place. */
export function keepApplied(journal: Pick<Journal<ValidationFact>, 'record'>, id: string): Undo {
  const kept = { state: 'kept', because: 'the specification leaves what it applied; --cleanup removes it' } as const;
  journal.record({ type: 'action-undone', id, ...kept });
  return kept;
}
