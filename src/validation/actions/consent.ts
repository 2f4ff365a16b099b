import { OperationError } from '../../host/errors.ts';
import type { Site } from '../site.ts';
import type { Action } from './action.ts';
import { actions, type PlannedAction } from './index.ts';

/**
 * Asks about those of the deeds that nothing undoes, before the first of them all is made: what a cluster is prepared for may not wait for a
 * person. Says how long they took, in seconds; an `OperationError` when one is not allowed.
 */
export async function askConsent(
  { site, allows, signal }: Asking & { readonly site: Site },
  deeds: readonly PlannedAction[],
): Promise<number> {
  const askedSeconds = site.host.clock.monotonicSeconds();
  for (const { action: name, target } of deeds) {
    const action = actions[name] as Action<unknown, unknown>;
    if (action.permission !== undefined)
      await requireConsent({ allows, signal }, action, await action.prepare(site, target));
  }
  return site.host.clock.monotonicSeconds() - askedSeconds;
}

/** For a deed that nothing undoes; an `OperationError` when it is not allowed. */
export async function requireConsent(
  { allows, signal }: Asking,
  action: Action<unknown, unknown>,
  intent: unknown,
): Promise<void> {
  const permission = action.permission?.(intent);
  if (permission === undefined) return;
  const [name, subject] = [action.name, action.subject(intent)];
  if (await allows({ action: name, subject, ...permission }, signal)) return;
  throw new OperationError({ tried: name, on: subject, reason: 'it was not allowed, and nothing was done' });
}

/** What was allowed once, such as the end of one instance, is not asked about again. */
export function askedOnce(allows: AllowsDeed): AllowsDeed {
  const allowed = new Set<string>();
  return async (deed, signal) => {
    const key = `${deed.action} ${deed.typed}`;
    if (allowed.has(key)) return true;
    const isAllowed = await allows(deed, signal);
    if (isAllowed) allowed.add(key);
    return isAllowed;
  };
}

/** A deed that nothing undoes, and what a person types to allow it. */
export interface IrreversibleDeed {
  readonly action: string;
  readonly subject: string;
  readonly typed: string;
  /** Who else is hit. */
  readonly because: string;
}

export type AllowsDeed = (deed: IrreversibleDeed, signal: AbortSignal) => Promise<boolean>;

/** Who is asked, and until when. */
export interface Asking {
  /** Asks a person about what nothing undoes. */
  readonly allows: AllowsDeed;
  /** Aborted when the run must not go on. */
  readonly signal: AbortSignal;
}
