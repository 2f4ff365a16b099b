import type { Kinds, OwnBehaviour } from '@holdfast/embedded-cluster';
import { type Copy, ofKind } from '../copy/copy.ts';
import { idOf, type WorkloadOf } from './workloads-of.ts';

/** How fast everything goes: every delay at its shortest, as drawn, or at its longest. */
export type Pace = 'fastest' | 'usual' | 'slowest';

/** What manifests do not say of a program, as `rehearse.application` of the settings has it. */
const assumed: OwnBehaviour = { start: 5, stop: 1, pull: 15, request: 0.000_05, sigterm: true, answers: false };
/** The pull of an image that no node has: docs/fidelity.md, `imagePull`. */
const pullSeconds: Readonly<Record<Pace, number>> = { fastest: 10, usual: 15, slowest: 20 };

interface Times {
  readonly least: number;
  readonly most: number;
}

/**
 * How the programs of a copy behave. How long each workload takes from the start of its containers to ready is seen in
 * the times of its own pods; nothing else of them is known.
 */
export function ownTimes(copy: Copy, workloadOf: WorkloadOf, pace: Pace) {
  const seen = new Map<string, Times>();
  for (const pod of ofKind(copy, 'Pod')) {
    const took = startTimes(pod);
    const id = idOf(workloadOf(pod));
    const before = seen.get(id);
    if (took === undefined) continue;
    const least = Math.min(took.least, before?.least ?? took.least);
    seen.set(id, { least, most: Math.max(took.most, before?.most ?? took.most) });
  }
  const pull = pullSeconds[pace];
  const byWorkload = [...seen].map(
    ([id, times]) => [id, { ...assumed, pull, start: startSeconds(times, pace) }] as const,
  );
  return { every: { ...assumed, pull }, byWorkload: Object.fromEntries(byWorkload) };
}

const startSeconds = ({ least, most }: Times, pace: Pace): number =>
  ({ fastest: least, usual: (least + most) / 2, slowest: most })[pace];

/** A start that took longer was no start: the pod became ready again after a failure. */
const longestStartSeconds = 1800;

/**
 * Between which two times after its start the program of the pod listened: its readiness probe succeeds at the first of
 * its periods after that. Undefined for a pod that never became ready, or was restarted.
 */
function startTimes({ spec, status }: Kinds['Pod']): Times | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const containers = status?.containerStatuses ?? [];
  const started = containers.map(({ state }) => Date.parse(state?.running?.startedAt ?? ''));
  if (ready?.status !== 'True' || containers.some(({ restartCount }) => restartCount !== 0)) return undefined;
  const seconds = (Date.parse(ready.lastTransitionTime ?? '') - Math.max(...started)) / 1000;
  if (!(seconds >= 0) || seconds > longestStartSeconds) return undefined;
  const periods = spec.containers.map(({ readinessProbe }) => readinessProbe?.periodSeconds ?? 10);
  const isProbed = spec.containers.some(({ readinessProbe }) => readinessProbe !== undefined);
  // Without a probe a pod is ready when it runs.
  return isProbed ? { least: Math.max(0, seconds - Math.max(...periods)), most: seconds + 1 } : { least: 0, most: 1 };
}
