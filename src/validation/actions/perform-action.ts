import { ApiError } from '../../cluster/cluster.ts';
import { answerWithinSeconds, retryRead } from '../../cluster/retry-read.ts';
import { OperationError } from '../../host/errors.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Expectation } from '../finding.ts';
import type { ValidationFact } from '../record/events.ts';
import type { Performed } from '../record/undo.ts';
import type { Site } from '../site.ts';
import type { Action, Begun } from './action.ts';
import { type Asking, requireConsent } from './consent.ts';
import { actions, type PlannedAction } from './index.ts';

/** What an action is performed with. */
export interface Acting extends Asking {
  readonly site: Site;
  readonly journal: Journal<ValidationFact>;
  /** Nothing is done while nobody watches: resolves when the monitor has a fresh line of the log. */
  readonly monitor: { readonly readyToAct: (signal: AbortSignal) => Promise<void> };
  /** A name for the next action, unlike any other of this run. */
  readonly newActionId: () => string;
}

/**
 * Prepare, intent on disk, perform, verify, each of it journaled, a failure too. `began` is called before the first write to the
 * cluster, because a deed that failed half-way has to be undone too.
 */
export async function performAction(
  run: Acting,
  scenario: string | null,
  planned: PlannedAction,
  began: (begun: Begun) => void,
): Promise<Expectation> {
  const { site, journal, signal } = run;
  const name = planned.action;
  const action = actions[name] as Action<unknown, unknown>;
  const intent = await action.prepare(site, planned.target);
  const subject = action.subject(intent);
  await requireConsent(run, action, intent);
  await run.monitor.readyToAct(signal);
  const begun: Begun = { id: run.newActionId(), action: name, subject, intent };
  const node = action.node === undefined ? {} : { node: action.node(intent) };
  await journal.intend({ type: 'action-intended', ...begun, scenario, ...node });
  began(begun);
  let isAnswered = false;
  try {
    signal.throwIfAborted();
    const performed = await action.perform(site, intent, signal);
    isAnswered = true;
    begun.intent = performed?.intent ?? intent;
    await recordDeed(journal, { type: 'action-performed', id: begun.id, ...performed });
    // What was done is looked at, and be it later: nobody breaks off after an irreversible deed for a moment's silence.
    const expectation = await retryRead(run, answerWithinSeconds, async () => action.verify(site, begun.intent));
    journal.record({ type: 'action-verified', id: begun.id, expectation });
    return expectation;
  } catch (error) {
    begun.unanswered = !isAnswered && error !== signal.reason && isWithoutAnswer(error);
    journal.record({
      type: 'action-failed',
      id: begun.id,
      because: error instanceof Error ? error.message : String(error),
      ...(begun.unanswered ? { unanswered: true } : {}),
    });
    throw error;
  }
}

/** A server that broke while it answered may have been at work, too. */
const isWithoutAnswer = (error: unknown): boolean =>
  error instanceof OperationError && (!(error instanceof ApiError) || error.status >= 500);

/** Durable where an undo depends on it. */
async function recordDeed(
  journal: Journal<ValidationFact>,
  fact: { readonly type: 'action-performed'; readonly id: string } & Performed,
): Promise<void> {
  if (fact.intent === undefined) journal.record(fact);
  else await journal.intend(fact);
}
