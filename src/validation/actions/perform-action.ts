import { ApiError } from '../../cluster/cluster.ts';
import { answerWithinSeconds, retryRead } from '../../cluster/retry-read.ts';
import { OperationError } from '../../host/errors.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Expectation } from '../finding.ts';
import type { ActionIntended, ValidationFact } from '../record/events.ts';
import type { Performed } from '../record/undo.ts';
import type { Site } from '../site.ts';
import type { Action, Begun } from './action.ts';
import { type Asking, requireConsent } from './consent.ts';
import { actionOf, type PlannedAction } from './index.ts';

/** What an action is performed with. */
export interface Acting extends Asking {
  readonly site: Site;
  readonly journal: Journal<ValidationFact>;
  /** Resolves when the downtime log has a fresh line: no action is performed while nothing measures its effect. */
  readonly monitor: { readonly readyToAct: (signal: AbortSignal) => Promise<void> };
  /** A name for the next action, unlike any other of this run. */
  readonly newActionId: () => string;
}

/**
 * Prepares an action, makes its intent durable, performs and verifies it. Each step is journaled, a failure too, which
 * is then thrown. `onBegun` is called before the first write to the cluster, because an action that failed half-way has
 * to be undone too.
 */
export async function performAction(
  acting: Acting,
  scenario: string | null,
  planned: PlannedAction,
  onBegun: (begun: Begun) => void,
): Promise<Expectation> {
  const { site, journal, signal } = acting;
  const name = planned.action;
  const action = actionOf(planned);
  const intent = await action.prepare(site, planned.target);
  const subject = action.subject(intent);
  await requireConsent(acting, action, intent);
  await acting.monitor.readyToAct(signal);
  const begun: Begun = { id: acting.newActionId(), action: name, subject, intent };
  const recorded = action.recorded ?? ((whole: unknown) => whole);
  await journal.intend({
    type: 'action-intended',
    ...begun,
    intent: recorded(intent),
    scenario,
    ...takenBy(action, intent),
  });
  onBegun(begun);
  let isAnswered = false;
  try {
    signal.throwIfAborted();
    const performed = await action.perform(site, intent, signal);
    isAnswered = true;
    begun.intent = performed?.intent ?? intent;
    const known = performed?.intent === undefined ? {} : { intent: recorded(performed.intent) };
    await recordPerformed(journal, { type: 'action-performed', id: begun.id, ...performed, ...known });
    // Retried, because a moment without response must not end a run that has just performed an irreversible action.
    const expectation = await retryRead(acting, answerWithinSeconds, async () => action.verify(site, begun.intent));
    journal.record({ type: 'action-verified', id: begun.id, expectation });
    return expectation;
  } catch (error) {
    begun.unanswered = !isAnswered && error !== signal.reason && isWithoutResponse(error);
    journal.record({
      type: 'action-failed',
      id: begun.id,
      because: error instanceof Error ? error.message : String(error),
      ...(begun.unanswered ? { unanswered: true } : {}),
    });
    throw error;
  }
}

function takenBy(action: Action<unknown, unknown>, intent: unknown): Pick<ActionIntended, 'node' | 'nodes'> {
  const nodes = action.nodes?.(intent) ?? [];
  const [node] = nodes;
  if (nodes.length > 1) return { nodes };
  return node === undefined ? {} : { node };
}

/** A 5xx counts as no response: the server may have carried the request out before it failed. */
const isWithoutResponse = (error: unknown): boolean =>
  error instanceof OperationError && (!(error instanceof ApiError) || error.status >= 500);

/** Durable if an undo depends on it. */
async function recordPerformed(
  journal: Journal<ValidationFact>,
  fact: { readonly type: 'action-performed'; readonly id: string } & Performed,
): Promise<void> {
  if (fact.intent === undefined) journal.record(fact);
  else await journal.intend(fact);
}
