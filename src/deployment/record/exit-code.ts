import type { Signal } from '../../host/host.ts';
import type { DeployEvent, EndState } from './states.ts';

/** The exit code of a deploy with this end state and these events, during which this signal arrived (docs/contract.md, "Exit codes"). */
export function exitCode(state: EndState, events: readonly DeployEvent[], signal?: Signal): number {
  if (state === 'rollback-failed') return exitCodes[state];
  const refusal = events.find((event) => event.type === 'refused');
  if (refusal !== undefined) return refusal.exitCode;
  if (signal !== undefined)
    return isSettled(state, events) ? 128 + signalNumbers[signal] : exitCodes['rollback-failed'];
  if (state === 'updated' && events.some(({ type }) => type === 'step-failed' || type === 'failed')) return 1;
  return exitCodes[state];
}

/** Whether the run was finished, or everything that it had changed was put back, and the health check passed where one was asked for. */
function isSettled(state: EndState, events: readonly DeployEvent[]): boolean {
  const hasFailed = events.some(({ type }) => type === 'step-failed' || type === 'failed');
  const isUnhealthy =
    state === 'rolled-back-unhealthy' && !events.some((event) => event.type === 'health-checked' && event.unasked);
  return !isUnhealthy && !(state === 'updated' && hasFailed);
}

const exitCodes: Readonly<Record<EndState, number>> = {
  verified: 0,
  unchanged: 0,
  updated: 0,
  aborted: 1,
  'rolled-back': 3,
  'rolled-back-unhealthy': 4,
  'rollback-failed': 5,
};

/** POSIX, signal.h. */
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
