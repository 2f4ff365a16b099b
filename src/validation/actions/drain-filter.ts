import type { PodIdentity } from '../../cluster/cluster.ts';
import { isFinished } from '../../cluster/pods.ts';
import type { Pod } from '../../cluster/resources.ts';

export interface DrainChoice {
  readonly evict: readonly PodIdentity[];
  /** Why no pod may be evicted: one sentence for each pod that forbids it. */
  readonly fatal: readonly string[];
}

/**
 * The pods of a node that a drain evicts, by kubectl's filters in its order (pkg/drain/filters.go) with
 * `--ignore-daemonsets --delete-emptydir-data`: DaemonSet and mirror pods stay; one pod without a controller forbids
 * the whole drain.
 */
export function chooseForDrain(pods: readonly Pod[]): DrainChoice {
  const candidates = pods.filter((pod) => !isMirror(pod) && (!ownedBy(pod, 'DaemonSet') || isFinished(pod)));
  return {
    evict: candidates.map(({ metadata }) => ({
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      uid: metadata.uid ?? '',
    })),
    fatal: candidates
      .filter((pod) => !isFinished(pod) && controllerOf(pod) === undefined)
      .map(({ metadata }) => `pod ${metadata.namespace}/${metadata.name} has no controller that would make it again`),
  };
}

const controllerOf = ({ metadata }: Pod) => metadata.ownerReferences?.find(({ controller }) => controller === true);
const ownedBy = (pod: Pod, kind: string): boolean => controllerOf(pod)?.kind === kind;
const isMirror = ({ metadata }: Pod): boolean => metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
