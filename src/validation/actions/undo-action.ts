import type { Clock } from '../../host/host.ts';
import type { Journal } from '../../journal/journal.ts';
import type { ValidationFact } from '../record/events.ts';
import { whyUnreadable } from '../record/intent-shapes.ts';
import type { Undo } from '../record/undo.ts';
import type { Site } from '../site.ts';
import type { Action, Begun } from './action.ts';
import { actionNamed } from './index.ts';

/** client-go's reconnect delays: 1 s doubling to 30 s (docs/facts/kubernetes.md, "Watches"). */
const retryAfterSeconds = [1, 2, 4, 8, 16, 30];
/** The sum of the pauses. An undo is not retried for longer, even if the API server is slow to fail. */
const retryWithinSeconds = retryAfterSeconds.reduce((sum, seconds) => sum + seconds, 0);

/**
 * The API server's own limit for a request (`--request-timeout`): until then it may carry out one that got no response.
 */
const requestTimeoutSeconds = 60;

/**
 * An undo that is under way when the second signal comes has this long: a healthy API server answers in hundredths of a
 * second.
 */
const hurrySeconds = 5;

/**
 * Undoes one action: after success, failure or a signal, and for `recover`. Never rejects. Retries for a minute while
 * the API server does not answer, or until `hurry` is aborted; an action that cannot be undone is journaled as failed,
 * with the command to type.
 */
export async function undoAction(
  site: Site,
  journal: Pick<Journal<ValidationFact>, 'intend'>,
  begun: Begun,
  hurry?: AbortSignal,
): Promise<Undo> {
  const action = actionNamed(begun.action);
  const isReadable = action !== undefined && whyUnreadable(action.name, begun.intent) === undefined;
  const undo = async () =>
    isReadable ? undoWithRetries(site, action, begun.intent, hurry) : notUndone(begun, 'nothing was tried');
  const first = await undo();
  const mayStillArrive = begun.unanswered === true && first.state === 'not-needed';
  const end = mayStillArrive ? await undoWhenNothingCanArrive(site.host.clock, begun, undo, hurry) : first;
  await recordUndone(journal, begun.id, end);
  return end;
}

/** Undoes once more when the API server can no longer carry out the request that got no response. */
async function undoWhenNothingCanArrive(
  clock: Clock,
  begun: Begun,
  undo: () => Promise<Undo>,
  hurry: AbortSignal | undefined,
): Promise<Undo> {
  await clock.sleep(requestTimeoutSeconds, hurry).catch(() => undefined);
  return hurry?.aborted
    ? notUndone(begun, 'it is as before, but the server may still make what it did not answer')
    : undo();
}

/** Records that an action cannot be undone now, and the command to type. */
export async function leaveOpen(
  journal: Pick<Journal<ValidationFact>, 'intend'>,
  begun: Begun,
  because: string,
): Promise<Undo> {
  const end = notUndone(begun, because);
  await recordUndone(journal, begun.id, end);
  return end;
}

async function recordUndone(journal: Pick<Journal<ValidationFact>, 'intend'>, id: string, end: Undo): Promise<void> {
  // Durable before an older action is undone: otherwise, after a power loss, `recover` would take the older undo for a
  // change of somebody else. An error of the journal is thrown when it is closed.
  await journal.intend({ type: 'action-undone', id, ...end }).catch(() => undefined);
}

async function undoWithRetries(
  site: Site,
  action: Action<unknown, unknown>,
  intent: unknown,
  hurry: AbortSignal | undefined,
): Promise<Undo> {
  const { clock } = site.host;
  const endsAt = clock.monotonicSeconds() + retryWithinSeconds;
  let end = await unlessHurried(clock, undoOnce(site, action, intent), hurry);
  for (const seconds of retryAfterSeconds) {
    if (end.state !== 'failed' || hurry?.aborted || clock.monotonicSeconds() >= endsAt) break;
    await clock.sleep(seconds, hurry).catch(() => undefined);
    end = await unlessHurried(clock, undoOnce(site, action, intent), hurry);
  }
  return end.state === 'failed' ? notUndone({ action: action.name, intent }, end.because) : end;
}

/** The result for an action that is left to a person, with the command to type. */
export function notUndone({ action: name, intent }: Pick<Begun, 'action' | 'intent'>, because: string): Undo {
  const action = actionNamed(name);
  if (action === undefined) return { state: 'failed', because: `this version knows no action ${name}` };
  const unreadable = whyUnreadable(action.name, intent);
  if (unreadable !== undefined)
    return { state: 'failed', because: `${because}. The journal does not hold what an undo needs: ${unreadable}` };
  return { state: 'failed', because: `${because}. By hand: ${action.byHand(intent)}` };
}

/** Waits for the undo; after `hurry` is aborted only `hurrySeconds` longer. */
async function unlessHurried(clock: Clock, undoing: Promise<Undo>, hurry: AbortSignal | undefined): Promise<Undo> {
  if (hurry === undefined) return undoing;
  const done = new AbortController();
  const hurried = Promise.withResolvers<void>();
  const hasten = () => hurried.resolve();
  if (hurry.aborted) hasten();
  hurry.addEventListener('abort', hasten);
  const late = hurried.promise
    .then(() => clock.sleep(hurrySeconds, done.signal))
    .then(() => ({ state: 'failed', because: `not done ${hurrySeconds} s after the second signal` }) as const);
  late.catch(() => undefined);
  try {
    return await Promise.race([undoing, late]);
  } finally {
    done.abort();
    hurry.removeEventListener('abort', hasten);
  }
}

async function undoOnce(site: Site, action: Action<unknown, unknown>, intent: unknown): Promise<Undo> {
  try {
    return await action.undo(site, intent);
  } catch (error) {
    return { state: 'failed', because: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Undoes action after action, to be called newest first. While a newer action on an object is not undone its older ones
 * stay open: their undo would take the run's own newer value for somebody else's, and keep it.
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
      notUndone.has(subject) && !actionNamed(action)?.staysUnlessCleanup
        ? await leaveOpen(journal, begun, 'a newer action of it is not undone yet, and has to be first')
        : await undoAction(site, journal, begun, hurry);
    if (end.state === 'failed') notUndone.add(subject);
    return end;
  };
}
