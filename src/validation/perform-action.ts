import type { Action } from './action.ts';
import { actions, type PlannedAction } from './actions/index.ts';
import type { Run } from './run.ts';

/** An action that was begun: what its undo needs, and what `recover` reads back from the journal. */
export interface Begun {
  readonly id: string;
  readonly action: string;
  readonly intent: unknown;
}

/**
 * Prepare, intent on disk, perform, verify, each of it journaled. `began` is called before the first write to the
 * cluster, because a deed that failed half-way has to be undone too.
 */
export async function performAction(
  run: Pick<Run, 'site' | 'journal' | 'signal' | 'newActionId'>,
  scenario: string | null,
  planned: PlannedAction,
  began: (begun: Begun) => void,
): Promise<void> {
  const { site, journal, signal } = run;
  const action = actions[planned.action] as Action<unknown, unknown>;
  const intent = await action.prepare(site, planned.target);
  const begun = { id: run.newActionId(), action: action.name, intent };
  await journal.intend({ type: 'action-intended', ...begun, scenario, subject: action.subject(intent) });
  began(begun);
  signal.throwIfAborted();
  await action.perform(site, intent, signal);
  journal.record({ type: 'action-performed', id: begun.id });
  journal.record({ type: 'action-verified', id: begun.id, expectation: await action.verify(site, intent) });
}
