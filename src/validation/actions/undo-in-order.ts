import type { Journal } from '../../journal/journal.ts';
import type { ValidationFact } from '../record/events.ts';
import type { Site } from '../scenarios/scenario.ts';
import type { Undo } from './action.ts';
import type { Begun } from './perform-action.ts';
import { leaveOpen, undoAction } from './undo-action.ts';

/**
 * The undo for one action after the other, newest first. While a newer action of an object is not undone its older ones stay open: they would
 * take the run's own value for somebody's, and keep it.
 */
export function undoInOrder(
  site: Site,
  journal: Pick<Journal<ValidationFact>, 'intend'>,
  hurry?: AbortSignal,
): (begun: Begun) => Promise<Undo> {
  const notUndone = new Set<string>();
  return async (begun) => {
    const { action, subject } = begun;
    const end =
      notUndone.has(subject) && !deletes.has(action)
        ? await leaveOpen(journal, begun, 'a newer action of it is not undone yet, and has to be first')
        : await undoAction(site, journal, begun, hurry);
    if (end.state === 'failed') notUndone.add(subject);
    return end;
  };
}

/** Their undo asks for no value. */
const deletes: ReadonlySet<string> = new Set(['apply-object']);
