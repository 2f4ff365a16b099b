import { type Container, isRunning } from './containers.ts';
import type { Runtime } from './runtime.ts';

/** What the requests of a container cost, and what it may use. */
export interface CpuShare {
  readonly secondsPerRequest: number;
  /** Its CPU limit; without one, the cores of its machine. */
  readonly cores: number;
}

/** When a request has the CPU; from `to` on the next one has it. */
export interface Turn {
  readonly from: number;
  readonly to: number;
  readonly answeredAt: number;
}

/**
 * The requests that wait for a container's CPU: first come, first served, as fast as its limit lets them be (cpu.max of
 * its control group).
 */
export interface CpuQueue {
  /** Takes one more request; epoch milliseconds. */
  queue(container: Container, share: CpuShare): Turn;
  /** How long a request that came now would wait. */
  waitSeconds(containerId: string): number;
}

/**
 * The least `timeoutSeconds` of a probe, which is also its default (core/v1, Probe): a longer wait is one that a probe
 * may notice.
 */
export const noticedSeconds = 1;

export function createCpuQueue(runtime: Pick<Runtime, 'container' | 'strain'>, now: () => number): CpuQueue {
  const busyUntil = new Map<string, number>();
  const waitSeconds = (containerId: string): number => {
    const current = runtime.container(containerId);
    if (current === undefined || !isRunning(current, now())) busyUntil.delete(containerId);
    return Math.max(0, (busyUntil.get(containerId) ?? 0) - now()) / 1000;
  };
  return {
    waitSeconds,
    queue: ({ id }, { secondsPerRequest, cores }) => {
      const begins = now() + 1000 * waitSeconds(id);
      const ends = begins + (1000 * secondsPerRequest) / cores;
      busyUntil.set(id, ends);
      if (waitSeconds(id) > noticedSeconds) runtime.strain(id);
      // One request runs on one core at most.
      const answeredAt = Math.max(ends, begins + (1000 * secondsPerRequest) / Math.min(1, cores));
      return { from: begins, to: ends, answeredAt };
    },
  };
}
