import type { DaemonSet, Deployment, Pod, ReplicaSet } from '../kubernetes/resources.ts';
import type { StatefulSet } from '../kubernetes/stateful-set.ts';
import type { Json } from '../objects/json.ts';
import { podTemplateHash, suffix, textHash } from '../objects/names.ts';
import { controlledBy } from '../objects/owners.ts';
import { replicasAnnotations } from './scaling.ts';
import { templateText } from './template-text.ts';

/** A Deployment's new ReplicaSet: the first one has all replicas, a later one none, and the rollout scales it up. */
export function replicaSetOf(owner: Deployment, hash: string, others: readonly ReplicaSet[]): ReplicaSet {
  const { name, namespace } = owner.metadata;
  const { minReadySeconds } = owner.spec;
  const labels = { ...owner.spec.template.metadata?.labels, 'pod-template-hash': hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels,
      annotations: {
        [revisionAnnotation]: String(Math.max(0, ...others.map(revisionOf)) + 1),
        ...replicasAnnotations(owner),
      },
      ownerReferences: [controlledBy(owner)],
    },
    spec: {
      replicas: others.length === 0 ? (owner.spec.replicas ?? 1) : 0,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: {
        ...owner.spec.selector,
        matchLabels: { ...owner.spec.selector.matchLabels, 'pod-template-hash': hash },
      },
      template: { metadata: { ...owner.spec.template.metadata, labels }, spec: owner.spec.template.spec },
    },
  };
}

/** A new pod of the set. */
export function podOf(set: ReplicaSet | DaemonSet, random: () => number): Pod {
  const { template } = set.spec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...template.metadata,
      name: `${set.metadata.name}-${suffix(random)}`,
      ...(set.metadata.namespace === undefined ? {} : { namespace: set.metadata.namespace }),
      ownerReferences: [controlledBy(set)],
    },
    spec: template.spec,
  };
}

export const revisionOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[revisionAnnotation] ?? 0);

export const revisionAnnotation = 'deployment.kubernetes.io/revision';

const hashes = new WeakMap<object, string>();

/** The hash of its template, label controller-revision-hash; cached for each version of a template. */
export function hashOf({ spec: { template } }: DaemonSet | StatefulSet): string {
  return cached(template, () => textHash(JSON.stringify(template)));
}

/** The hash of its template, label pod-template-hash: the one that Kubernetes makes of it. */
export function podTemplateHashOf({ spec: { template } }: Deployment): string {
  return cached(template, () => podTemplateHash(templateText(template as unknown as Json)));
}

function cached(template: object, hash: () => string): string {
  const known = hashes.get(template) ?? hash();
  hashes.set(template, known);
  return known;
}
