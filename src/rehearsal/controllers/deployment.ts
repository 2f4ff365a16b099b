import type { Deployment, ReplicaSet } from '../../cluster/resources.ts';
import { keyOf, placeOf } from '../cache.ts';
import { withConditions } from '../conditions.ts';
import { templateHash } from '../names.ts';
import { controlledBy, controllerOf, keysOfController } from '../owners.ts';
import type { Site } from '../site.ts';
import { reconciler } from './reconciler.ts';
import { type Scaling, scalings, surgeOf, unavailableOf } from './rollout.ts';

/** Deployment → ReplicaSets, by rolling update or recreation (apps/v1, pkg/controller/deployment). */
export const deployment = reconciler({
  name: 'deployment',
  watches: { Deployment: (object) => [keyOf(object)], ReplicaSet: keysOfController('Deployment') },
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const wanted = site.cache.get('Deployment', key);
    if (wanted === undefined || wanted.metadata.deletionTimestamp !== undefined) return undefined;
    const sets = setsOf(site, wanted);
    const hash = hashOf(wanted);
    const current = sets.find(({ metadata }) => metadata.labels?.['pod-template-hash'] === hash);
    if (current === undefined) await site.cluster.create(replicaSetOf(wanted, hash, sets));
    else for (const scaling of scalings(wanted, current, sets)) await scale(site, scaling);
    await site.cluster.patch(
      'Deployment',
      placeOf(key),
      { type: 'merge', value: { status: statusOf(wanted, current, sets, site.now()) } },
      { subresource: 'status' },
    );
    return undefined;
  },
});

const hashes = new WeakMap<object, string>();

function hashOf({ spec: { template } }: Deployment): string {
  const known = hashes.get(template) ?? templateHash(JSON.stringify(template));
  hashes.set(template, known);
  return known;
}

function setsOf(site: Site, { metadata }: Deployment): readonly ReplicaSet[] {
  return [...site.cache.ownedBy(metadata.uid)].filter(
    (object): object is ReplicaSet => object.kind === 'ReplicaSet' && controllerOf(object)?.uid === metadata.uid,
  );
}

async function scale(site: Site, { set, replicas }: Scaling): Promise<void> {
  await site.cluster.patch('ReplicaSet', placeOf(keyOf(set)), { type: 'merge', value: { spec: { replicas } } });
}

/** The first set of a Deployment begins at full size; a later one begins empty and is scaled up by the rollout. */
function replicaSetOf(owner: Deployment, hash: string, others: readonly ReplicaSet[]): ReplicaSet {
  const { name, namespace } = owner.metadata;
  const labels = { ...owner.spec.template.metadata?.labels, 'pod-template-hash': hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels,
      annotations: { 'deployment.kubernetes.io/revision': String(others.length + 1) },
      ownerReferences: [controlledBy(owner)],
    },
    spec: {
      replicas: others.length === 0 ? (owner.spec.replicas ?? 1) : 0,
      selector: {
        ...owner.spec.selector,
        matchLabels: { ...owner.spec.selector.matchLabels, 'pod-template-hash': hash },
      },
      template: { metadata: { ...owner.spec.template.metadata, labels }, spec: owner.spec.template.spec },
    },
  };
}

function statusOf(
  wanted: Deployment,
  current: ReplicaSet | undefined,
  sets: readonly ReplicaSet[],
  at: number,
): NonNullable<Deployment['status']> {
  const sum = (count: (set: ReplicaSet) => number | undefined) => sets.reduce((all, set) => all + (count(set) ?? 0), 0);
  const replicas = wanted.spec.replicas ?? 1;
  const availableReplicas = sum((set) => set.status?.availableReplicas);
  const available = availableReplicas >= replicas - unavailableOf(wanted, surgeOf(wanted));
  const updatedReplicas = current?.status?.replicas ?? 0;
  const complete = updatedReplicas === replicas && availableReplicas === replicas;
  return {
    observedGeneration: wanted.metadata.generation ?? 1,
    replicas: sum((set) => set.status?.replicas),
    updatedReplicas,
    readyReplicas: sum((set) => set.status?.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, replicas - availableReplicas),
    conditions: withConditions(
      wanted.status?.conditions,
      [
        available
          ? { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' }
          : { type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' },
        { type: 'Progressing', status: 'True', reason: complete ? 'NewReplicaSetAvailable' : 'ReplicaSetUpdated' },
      ],
      at,
    ),
  };
}
