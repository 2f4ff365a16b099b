import type { Journal } from '../../journal/journal.ts';
import type { Undo } from '../actions/action.ts';
import { isRemovable } from '../actions/apply-object.ts';
import { notUndone } from '../actions/undo-action.ts';
import { undoInOrder } from '../actions/undo-in-order.ts';
import type { ActionIntended, ActionUndone, ValidationFact } from '../record/events.ts';
import { openIntents } from '../record/open-intents.ts';
import type { Site } from '../scenarios/scenario.ts';

/** One action of an interrupted run, and what became of it. */
export interface Recovered {
  readonly intent: ActionIntended;
  readonly undo: Undo;
}

/**
 * Undoes what an interrupted run left, newest first, with nothing but its journal and the API. Idempotent: a second call
 * finds nothing open. Applied objects stay, as the specification leaves them, unless they are to be cleaned up, then or by a later call.
 */
export async function recover(
  site: Site,
  facts: readonly ValidationFact[],
  journal: Journal<ValidationFact>,
  options: { readonly cleanup: boolean },
): Promise<readonly Recovered[]> {
  const undo = undoInOrder(site, journal);
  const recovered: Recovered[] = [];
  for (const intent of openIntents(facts, options)) {
    const isKept = intent.action === 'apply-object' && !options.cleanup;
    const end = isKept ? keepApplied(journal, intent.id, { openForCleanup: true }) : await undo(intent);
    recovered.push({ intent, undo: end });
  }
  return recovered;
}

/** What is open when the API server or the lease cannot be had: nothing was undone, and what to type for each. */
export function notReached(
  facts: readonly ValidationFact[],
  because: string,
  options: { readonly cleanup: boolean },
): readonly Recovered[] {
  return openIntents(facts, options)
    .filter(({ action, intent }) => action !== 'apply-object' || (options.cleanup && isRemovable(intent)))
    .map((intent) => ({ intent, undo: notUndone(intent, because) }));
}

/** The specification leaves the pool and the application in place. */
export function keepApplied(
  journal: Pick<Journal<ValidationFact>, 'record'>,
  id: string,
  still: Pick<ActionUndone, 'openForCleanup'> = {},
): Undo {
  const kept = { state: 'kept', because: 'the specification leaves what it applied; --cleanup removes it' } as const;
  journal.record({ type: 'action-undone', id, ...kept, ...still });
  return kept;
}
