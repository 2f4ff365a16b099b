import type { Journal } from '../journal/journal.ts';
import type { Action, Undo } from './action.ts';
import { actions } from './actions/index.ts';
import type { ValidationFact } from './events.ts';
import type { Begun } from './perform-action.ts';
import type { Site } from './scenario.ts';

/** The official client's reconnect delays, 1 s doubling to 30 s (facts 3.1, src/cache.ts): a minute in all. */
const retryAfterSeconds = [1, 2, 4, 8, 16, 30];

/**
 * The one way back, for success, failure, a signal and `recover` alike. Never throws and never stops early: an API server
 * that is away is asked again for a minute, or until there is a hurry, and what could not be undone is journaled as failed, with what to type.
 */
export async function undoAction(
  site: Site,
  journal: Pick<Journal<ValidationFact>, 'record'>,
  { id, action: name, intent }: Begun,
  hurry?: AbortSignal,
): Promise<Undo> {
  const action = actions[name as keyof typeof actions] as Action<unknown, unknown> | undefined;
  const end: Undo =
    action === undefined
      ? { state: 'failed', because: `this version knows no action ${name}` }
      : await undoWithRetries(site, action, intent, hurry);
  journal.record({ type: 'action-undone', id, ...end });
  return end;
}

async function undoWithRetries(
  site: Site,
  action: Action<unknown, unknown>,
  intent: unknown,
  hurry: AbortSignal | undefined,
): Promise<Undo> {
  let end = await undoOnce(site, action, intent);
  for (const seconds of retryAfterSeconds) {
    if (end.state !== 'failed' || hurry?.aborted) break;
    await site.host.clock.sleep(seconds, hurry).catch(() => undefined);
    end = await undoOnce(site, action, intent);
  }
  return end.state === 'failed' ? { ...end, because: `${end.because}. By hand: ${action.byHand(intent)}` } : end;
}

async function undoOnce(site: Site, action: Action<unknown, unknown>, intent: unknown): Promise<Undo> {
  try {
    return await action.undo(site, intent);
  } catch (error) {
    return { state: 'failed', because: error instanceof Error ? error.message : String(error) };
  }
}
