import type { Signal } from '../../host/host.ts';
import { type DeployEvent, next, type State } from '../record/states.ts';

/**
 * The events that follow when a signal has arrived before this event. A success that ends the run stays; a failure is
 * attributed to the signal; any other event is recorded and then interrupted. A rollback that has left its first commit, by
 * command or automatically, is finished: in between, the tree and the caches would be of two commits.
 */
export function afterSignal(state: State, event: DeployEvent, signal: Signal): readonly DeployEvent[] {
  const to = next(state, event)?.to;
  if (to === 'returned') return [event, { type: 'interruption-deferred', signal }];
  const interrupted: DeployEvent = { type: 'interrupted', signal };
  // Always reports what could not be put back.
  if (to === undefined || to === 'rollback-failed' || next(state, interrupted) === undefined) return [event];
  if (next(to, interrupted) !== undefined) return [event, interrupted];
  return successes.has(to) ? [event] : [interrupted];
}

const successes: ReadonlySet<State> = new Set(['verified', 'unchanged', 'updated']);
