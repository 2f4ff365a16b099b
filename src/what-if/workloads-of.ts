import type { Kinds } from '@holdfast/embedded-cluster';
import { type CopiedObject, type Copy, keyOf, ofKind } from '../copy/copy.ts';
import type { Workload } from './answer-shape.ts';

type Pod = Kinds['Pod'];

/** Which workload a pod belongs to: in the copy, or made later by a controller of it. */
export type WorkloadOf = (pod: Pod) => Workload;

const controllerOf = ({ metadata }: CopiedObject) =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

/** Of a Deployment's pod the Deployment, of a CronJob's the CronJob; a pod without a controller stands for itself. */
export function workloadsOf(copy: Copy): WorkloadOf {
  const between = [...ofKind(copy, 'ReplicaSet'), ...ofKind(copy, 'Job')];
  const tops = new Map(between.map((object) => [object.metadata.uid ?? '', topOf(object)] as const));
  const copied = new Map(ofKind(copy, 'Pod').map((pod) => [keyOf(pod), pod] as const));
  return (pod) => {
    const { namespace = '', name, labels } = pod.metadata;
    // In the world a pod has lost owners that nobody knows.
    const owner = controllerOf(pod) ?? controllerOf(copied.get(keyOf(pod)) ?? pod);
    if (owner === undefined) return { kind: 'Pod', namespace, name };
    const top = tops.get(owner.uid);
    if (top !== undefined) return { ...top, namespace };
    const hash = labels?.['pod-template-hash'];
    return owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`)
      ? { kind: 'Deployment', namespace, name: owner.name.slice(0, -hash.length - 1) }
      : { kind: owner.kind, namespace, name: owner.name };
  };
}

function topOf(object: CopiedObject): Omit<Workload, 'namespace'> {
  const { kind, name } = controllerOf(object) ?? { kind: object.kind, name: object.metadata.name };
  return { kind, name };
}

export const idOf = ({ kind, namespace, name }: Workload): string => `${kind}/${namespace}/${name}`;

/** Kinds that bring their pods back in the embedded cluster. */
export const knownKinds: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
]);

/** Pods that a drain leaves and that no other node could run: those of DaemonSets, and static ones. */
export function isOfNode(pod: Pod): boolean {
  const owner = controllerOf(pod);
  return (
    owner?.kind === 'DaemonSet' ||
    owner?.kind === 'Node' ||
    pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined
  );
}
