import { OperationError } from '../../host/errors.ts';
import type { Site } from '../site.ts';
import type { Action } from './action.ts';
import { actionOf, type PlannedAction } from './index.ts';

/**
 * Asks about each irreversible action before any action is performed, so that a cluster that is already prepared for it
 * does not wait for a person. Returns how long the answers took, in seconds; rejects with an `OperationError` when one
 * is not allowed.
 */
export async function askConsent(
  { site, allows, signal }: Asking & { readonly site: Site },
  planned: readonly PlannedAction[],
): Promise<number> {
  const askedSeconds = site.host.clock.monotonicSeconds();
  for (const one of planned) {
    const action = actionOf(one);
    if (action.permission !== undefined)
      await requireConsent({ allows, signal }, action, await action.prepare(site, one.target));
  }
  return site.host.clock.monotonicSeconds() - askedSeconds;
}

/** Asks about an irreversible action, and about no other; rejects with an `OperationError` when it is not allowed. */
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

/** Asks once about each action, such as the end of one instance: what was allowed is allowed from then on. */
export function askedOnce(allows: AllowsAction): AllowsAction {
  const allowed = new Set<string>();
  return async (action, signal) => {
    const key = `${action.action} ${action.typed}`;
    if (allowed.has(key)) return true;
    const isAllowed = await allows(action, signal);
    if (isAllowed) allowed.add(key);
    return isAllowed;
  };
}

/** An action that nothing undoes. */
export interface IrreversibleAction {
  readonly action: string;
  readonly subject: string;
  /** What a person types to allow it. */
  readonly typed: string;
  /** Who else is affected. */
  readonly because: string;
}

export type AllowsAction = (action: IrreversibleAction, signal: AbortSignal) => Promise<boolean>;

/** What a person is asked with. */
export interface Asking {
  readonly allows: AllowsAction;
  /** Aborted when the run must not go on; then nobody is asked any more. */
  readonly signal: AbortSignal;
}
