import type { Clock } from '../../host/host.ts';
import type { Journal } from '../../journal/journal.ts';
import type { ValidationFact } from '../record/events.ts';
import type { Undo } from '../record/undo.ts';
import type { Site } from '../site.ts';
import type { Action, Begun } from './action.ts';
import { actions } from './index.ts';

/** The official client's reconnect delays, 1 s doubling to 30 s (facts 3.1, src/cache.ts). */
const retryAfterSeconds = [1, 2, 4, 8, 16, 30];
/** Their sum: an API server that takes longer than that to say nothing has been asked for long enough. */
const retryWithinSeconds = 61;

/** What the API server itself gives a request (`--request-timeout`): a deed that got no answer may be made until then. */
const madeWithinSeconds = 60;

/** After a second signal an undo that is under way has this long: a healthy API server answers in hundredths of a second. */
const hurrySeconds = 5;

/**
 * The one way back, for success, failure, a signal and `recover` alike. Never throws and never stops early: an API server
 * that is away is asked again for a minute, or until there is a hurry, and what could not be undone is journaled as failed, with what to type.
 */
export async function undoAction(
  site: Site,
  journal: Pick<Journal<ValidationFact>, 'intend'>,
  begun: Begun,
  hurry?: AbortSignal,
): Promise<Undo> {
  const action = actions[begun.action as keyof typeof actions] as Action<unknown, unknown> | undefined;
  const undo = async () =>
    action === undefined ? notUndone(begun, '') : undoWithRetries(site, action, begun.intent, hurry);
  const first = await undo();
  const mayComeYet = begun.unanswered === true && first.state === 'not-needed';
  const end = mayComeYet ? await undoLater(site.host.clock, begun, undo, hurry) : first;
  await tell(journal, begun.id, end);
  return end;
}

/** Once nothing can come any more. */
async function undoLater(
  clock: Clock,
  begun: Begun,
  undo: () => Promise<Undo>,
  hurry: AbortSignal | undefined,
): Promise<Undo> {
  await clock.sleep(madeWithinSeconds, hurry).catch(() => undefined);
  return hurry?.aborted
    ? notUndone(begun, 'it is as before, but the server may still make what it did not answer')
    : undo();
}

/** Says of an action that it cannot be undone now, and what to type. */
export async function leaveOpen(
  journal: Pick<Journal<ValidationFact>, 'intend'>,
  begun: Begun,
  because: string,
): Promise<Undo> {
  const end = notUndone(begun, because);
  await tell(journal, begun.id, end);
  return end;
}

async function tell(journal: Pick<Journal<ValidationFact>, 'intend'>, id: string, end: Undo): Promise<void> {
  // Durable before an older action is undone: else a power loss lets `recover` take that older undo for somebody's change.
  // A journal that cannot be written says so when it is closed.
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
  let end = await withoutPatience(clock, undoOnce(site, action, intent), hurry);
  for (const seconds of retryAfterSeconds) {
    if (end.state !== 'failed' || hurry?.aborted || clock.monotonicSeconds() >= endsAt) break;
    await clock.sleep(seconds, hurry).catch(() => undefined);
    end = await withoutPatience(clock, undoOnce(site, action, intent), hurry);
  }
  return end.state === 'failed' ? notUndone({ action: action.name, intent }, end.because) : end;
}

/** What is left to a person, and what to type. */
export function notUndone({ action: name, intent }: Pick<Begun, 'action' | 'intent'>, because: string): Undo {
  const action = actions[name as keyof typeof actions] as Action<unknown, unknown> | undefined;
  if (action === undefined) return { state: 'failed', because: `this version knows no action ${name}` };
  return { state: 'failed', because: `${because}. By hand: ${action.byHand(intent)}` };
}

/** Waits for it, but not much longer once there is a hurry. */
async function withoutPatience(clock: Clock, undoing: Promise<Undo>, hurry: AbortSignal | undefined): Promise<Undo> {
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
export const deletes: ReadonlySet<string> = new Set(['apply-object']);
