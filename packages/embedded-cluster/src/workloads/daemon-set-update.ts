import type { DaemonSet, Pod } from '../kubernetes/resources.ts';
import { isPodReady, isTerminating } from '../objects/pods.ts';
import { portion } from './rollout.ts';
import { availableInstant } from './stateful-set-step.ts';

export const revisionLabel = 'controller-revision-hash';

/** The pods of each node that should have one, by the node's name. */
export type PodsByNode = ReadonlyMap<string, readonly Pod[]>;

/** The next step of a rolling update: the pods to delete, and the nodes that get a pod beside their old one. */
export interface UpdateStep {
  readonly deletions: readonly Pod[];
  readonly surges: readonly string[];
}

/** A node's pods that are not on their way out; of the new and of the old template. */
interface OnNode {
  readonly name: string;
  readonly updated: Pod | undefined;
  readonly old: Pod | undefined;
}

/**
 * Towards the pods of that hash, at an instant in epoch milliseconds (pkg/controller/daemon/update.go, rollingUpdate);
 * with OnDelete nothing.
 */
export function updateStep(set: DaemonSet, pods: PodsByNode, hash: string, at: number): UpdateStep {
  const { type = 'RollingUpdate', rollingUpdate = {} } = set.spec.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return { deletions: [], surges: [] };
  const nodes = [...pods].map(([name, there]) => {
    const staying = there.filter((pod) => !isTerminating(pod));
    const isUpdated = (pod: Pod) => isOfHash(pod, hash);
    return { name, updated: staying.find(isUpdated), old: staying.find((pod) => !isUpdated(pod)) };
  });
  const isAvailable = (pod: Pod | undefined) => pod !== undefined && isPodAvailable(set, pod, at);
  const surge = portion(rollingUpdate.maxSurge ?? 0, nodes.length, Math.ceil);
  if (surge > 0) return surging(nodes, surge, isAvailable);
  const unavailable = portion(rollingUpdate.maxUnavailable ?? 1, nodes.length, Math.ceil) || 1;
  return { deletions: replaced(nodes, unavailable, isAvailable), surges: [] };
}

export const isOfHash = ({ metadata }: Pod, hash: string): boolean => metadata.labels?.[revisionLabel] === hash;

export const isPodAvailable = ({ spec }: DaemonSet, pod: Pod, at: number): boolean =>
  isPodReady(pod) && availableInstant(pod, spec.minReadySeconds ?? 0, at) <= at;

type IsAvailable = (pod: Pod | undefined) => boolean;

/** Old pods that are not available, and others as long as no more than `most` nodes are without an available pod. */
function replaced(nodes: readonly OnNode[], most: number, isAvailable: IsAvailable): readonly Pod[] {
  const old = nodes.flatMap(({ old: pod, updated }) => (pod === undefined || updated !== undefined ? [] : pod));
  const candidates = old.filter(isAvailable);
  const without = nodes.filter(({ updated, old: pod }) => !isAvailable(updated) && pod === undefined).length;
  return [...old.filter((pod) => !isAvailable(pod)), ...candidates.slice(0, Math.max(0, most - without))];
}

/**
 * A node's old pod goes when the new one is available, or the old one is not ready; up to `most` nodes wait for a new
 * one.
 */
function surging(nodes: readonly OnNode[], most: number, isAvailable: IsAvailable): UpdateStep {
  const both = nodes.filter(({ updated, old }) => updated !== undefined && old !== undefined);
  const deletions = both.flatMap(({ updated, old }) =>
    old !== undefined && (isAvailable(updated) || !isPodReady(old)) ? old : [],
  );
  const waiting = both.filter(({ updated }) => !isAvailable(updated)).length;
  const single = nodes.filter(({ updated, old }) => updated === undefined && old !== undefined);
  const unavailable = single.filter(({ old }) => !isAvailable(old));
  const candidates = single.filter(({ old }) => isAvailable(old)).slice(0, Math.max(0, most - waiting));
  return { deletions, surges: [...unavailable, ...candidates].map(({ name }) => name) };
}
