import type { Signal } from '../../host/host.ts';
import { type DeployEvent, next, type State } from '../record/states.ts';

/**
 * What happens when a signal has come by the time of this event. A deploy that has reached its end keeps it; a failure
 * is the signal's doing; what was done is told, and then undone. A rollback is never interrupted.
 */
export function afterSignal(state: State, event: DeployEvent, signal: Signal): readonly DeployEvent[] {
  const interrupted: DeployEvent = { type: 'interrupted', signal };
  const to = next(state, event)?.to;
  if (to === undefined || next(state, interrupted) === undefined) return [event];
  if (next(to, interrupted) !== undefined) return [event, interrupted];
  return successes.has(to) ? [event] : [interrupted];
}

const successes: ReadonlySet<State> = new Set(['verified', 'unchanged', 'updated']);
