import { OperationError } from '../host/errors.ts';
import type { Action } from './action.ts';
import { actions, type PlannedAction } from './actions/index.ts';
import type { Expectation } from './finding.ts';
import type { Run } from './run.ts';
import { answerWithinSeconds, untilAnswered } from './until-answered.ts';

/** An action that was begun: what its undo needs, and what `recover` reads back from the journal. */
export interface Begun {
  readonly id: string;
  readonly action: string;
  readonly intent: unknown;
}

/**
 * Prepare, intent on disk, perform, verify, each of it journaled, a failure too. `began` is called before the first write to the
 * cluster, because a deed that failed half-way has to be undone too.
 */
export async function performAction(
  run: Pick<Run, 'site' | 'journal' | 'monitor' | 'signal' | 'allows' | 'newActionId'>,
  scenario: string | null,
  planned: PlannedAction,
  began: (begun: Begun) => void,
): Promise<Expectation> {
  const { site, journal, signal } = run;
  const name = planned.action;
  const action = actions[name] as Action<unknown, unknown>;
  const intent = await action.prepare(site, planned.target);
  const subject = action.subject(intent);
  await requirePermission(run, action, intent);
  await run.monitor.readyToAct(signal);
  const begun = { id: run.newActionId(), action: name, intent };
  const node = action.node === undefined ? {} : { node: action.node(intent) };
  await journal.intend({ type: 'action-intended', ...begun, scenario, subject, ...node });
  began(begun);
  try {
    signal.throwIfAborted();
    const performed = await action.perform(site, intent, signal);
    journal.record({ type: 'action-performed', id: begun.id, ...performed });
    // What was done is looked at, and be it later: nobody breaks off after an irreversible deed for a moment's silence.
    const expectation = await untilAnswered(run, answerWithinSeconds, async () => action.verify(site, intent));
    journal.record({ type: 'action-verified', id: begun.id, expectation });
    return expectation;
  } catch (error) {
    journal.record({
      type: 'action-failed',
      id: begun.id,
      because: error instanceof Error ? error.message : String(error),
    });
    throw error;
  }
}

async function requirePermission(
  { allows, signal }: Pick<Run, 'allows' | 'signal'>,
  action: Action<unknown, unknown>,
  intent: unknown,
): Promise<void> {
  const permission = action.permission?.(intent);
  if (permission === undefined) return;
  const [name, subject] = [action.name, action.subject(intent)];
  if (await allows({ action: name, subject, ...permission }, signal)) return;
  throw new OperationError({ tried: name, on: subject, cameBack: 'it was not allowed, and nothing was done' });
}
