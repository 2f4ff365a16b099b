import type { DeployEvent, EndState } from './states.ts';

/** The exit code of a deploy that ended so after these events (contract section 2). */
export function exitCode(state: EndState, events: readonly DeployEvent[]): number {
  const refusal = events.find((event) => event.type === 'refused');
  if (refusal !== undefined) return refusal.exitCode;
  const interruption = events.find((event) => event.type === 'interrupted');
  if (interruption !== undefined && state !== 'rollback-failed') return 128 + signalNumbers[interruption.signal];
  if (state === 'updated' && events.some(({ type }) => type === 'step-failed' || type === 'failed')) return 1;
  return exitCodes[state];
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
