import { ApiError, type Cluster } from '../../cluster/cluster.ts';
import { selects } from '../../cluster/label-selector.ts';
import type { Pod, PodDisruptionBudget } from '../../cluster/resources.ts';
import { applicationSelector } from '../observe/snapshot.ts';
import type { Settings } from '../settings.ts';
import { budgetText, type SharedObjects, type Sharing, sharing } from './together.ts';

/**
 * What two applications of one namespace share by its objects: a budget that counts the pods of both, and the
 * namespace's quotas.
 */
export async function sharedObjects(cluster: Cluster, all: readonly Settings[]): Promise<SharedObjects> {
  const namespaces = [...new Set(all.map(({ namespace }) => namespace))];
  const found = new Map(
    await Promise.all(
      namespaces.map(async (namespace) => [namespace, await readNamespace(cluster, namespace)] as const),
    ),
  );
  const pods = new Map(
    await Promise.all(
      all.map(async (settings) => {
        const where = { namespace: settings.namespace, labelSelector: applicationSelector(settings) };
        return [settings, await cluster.list('Pod', where)] as const;
      }),
    ),
  );
  return (one, other) => {
    const here = found.get(one.namespace);
    if (one.namespace !== other.namespace || here === undefined) return [];
    const budgets = here.budgets.filter((budget) => [one, other].every((each) => counts(budget, pods.get(each) ?? [])));
    return [...budgets.map(ofBudget), ...here.quotas.map((name) => ofQuota(one.namespace, name))];
  };
}

async function readNamespace(cluster: Cluster, namespace: string) {
  const [budgets, quotas] = await Promise.all([
    cluster.list('PodDisruptionBudget', { namespace }),
    cluster.list('ResourceQuota', { namespace }).catch(withoutPermission),
  ]);
  return { budgets, quotas: quotas.map(({ metadata }) => metadata.name) };
}

/** The least roles do not ask for it: a plan without it says less. */
function withoutPermission(error: unknown): readonly never[] {
  if (error instanceof ApiError && error.status === 403) return [];
  throw error;
}

const counts = ({ spec }: PodDisruptionBudget, pods: readonly Pod[]): boolean =>
  pods.some(({ metadata }) => selects(spec.selector, metadata.labels));

const ofBudget = ({ metadata: { namespace = '', name } }: PodDisruptionBudget): Sharing =>
  sharing(budgetText(namespace, name), 'budget');

const ofQuota = (namespace: string, name: string): Sharing =>
  sharing(`the quota ${namespace}/${name}, which five replicas of each may use up`, 'quota');
