import type { FieldPath } from '@holdfast/embedded-cluster';
import type { NodePool } from '../../cluster/autoscaler.ts';
import { type Located, namespaceOf } from './located.ts';

/**
 * The ConfigMaps, Secrets and claims that pods of these manifests cannot start without and that are not among them, one
 * sentence each: on a cluster that does not have them either, the kubelet would wait (Kubernetes, "ConfigMaps",
 * "Optional ConfigMaps"); in a rehearsal the pods start, but not without a claim.
 */
export function missingReferences(located: readonly Located[]): readonly string[] {
  const told = new Set<string>();
  return located.flatMap((one) => {
    const { kind, metadata } = one.object;
    const at = podSpecAt[kind];
    const spec = at?.reduce<unknown>((value, step) => Object(value)[step], one.object);
    if (at === undefined || spec === undefined) return [];
    return referencesOf(Object(spec)).flatMap(({ path, needed, name, stays }) => {
      const key = JSON.stringify([kind, namespaceOf(one.object), metadata.name, needed, name]);
      if (told.has(key) || isThere(located, one, needed, name)) return [];
      told.add(key);
      const place = `${one.file}:${one.lineOf([...at, ...path])}`;
      return [
        `${place}: ${needed} ${name} is not among these manifests: unless the cluster has it, the pods of ${kind} ${metadata.name} stay in ${stays}${stays === 'Pending' ? ', as they do here' : ''}.`,
      ];
    });
  });
}

/**
 * The node classes of NodePools that are not among these manifests, one sentence each: a rehearsal has them, Ready, and
 * a cluster without them makes no node.
 */
export function missingNodeClasses(located: readonly Located[]): readonly string[] {
  return located.flatMap(({ object, file, lineOf }) => {
    if (object.kind !== 'NodePool') return [];
    const { kind, name } = (object as NodePool).spec.template.spec.nodeClassRef;
    if (located.some((other) => other.object.kind === kind && other.object.metadata.name === name)) return [];
    const place = `${file}:${lineOf(['spec', 'template', 'spec', 'nodeClassRef'])}`;
    return [
      `${place}: ${kind} ${name} is not among these manifests: it is assumed to be there and Ready. Without it NodePool ${object.metadata.name} makes no node.`,
    ];
  });
}

const inTemplate = ['spec', 'template', 'spec'];
const podSpecAt: Readonly<Record<string, FieldPath>> = {
  Pod: ['spec'],
  Deployment: inTemplate,
  ReplicaSet: inTemplate,
  StatefulSet: inTemplate,
  DaemonSet: inTemplate,
  Job: inTemplate,
  CronJob: ['spec', 'jobTemplate', ...inTemplate],
};

/** Made in every namespace by kube-controller-manager (root-ca-cert-publisher). */
const everywhere = 'kube-root-ca.crt';

/**
 * Also where an object of another kind has that name or makes a Secret of it, as SealedSecret, ExternalSecret and
 * Certificate do.
 */
function isThere(located: readonly Located[], user: Located, needed: string, wanted: string): boolean {
  const here = located.filter(({ object }) => namespaceOf(object) === namespaceOf(user.object));
  const isIt = ({ object }: Located) => object.kind === needed && object.metadata.name === wanted;
  const makesIt = ({ object }: Located) => {
    const { secretName, target } = Object(Object(object).spec);
    const isCustom = /^[^/]+\.[^/]+\/(?!.*k8s\.io)/.test(object.apiVersion);
    return isCustom && [object.metadata.name, secretName, Object(target).name].includes(wanted);
  };
  return (needed === 'ConfigMap' && wanted === everywhere) || here.some((one) => isIt(one) || makesIt(one));
}

interface Reference {
  readonly path: FieldPath;
  readonly needed: 'ConfigMap' | 'PersistentVolumeClaim' | 'Secret';
  readonly name: string;
  /** What `kubectl get pods` shows then. */
  readonly stays: 'CreateContainerConfigError' | 'ContainerCreating' | 'Pending';
}

function referencesOf(spec: Json): readonly Reference[] {
  const containers = ['initContainers', 'containers'].flatMap((list) =>
    itemsOf(spec[list]).flatMap((container, index) => ofContainer(container, [list, index])),
  );
  const volumes = itemsOf(spec.volumes).flatMap((volume, index) => ofVolume(volume, ['volumes', index]));
  return [...containers, ...volumes];
}

type Json = Readonly<Record<string, unknown>>;

function ofContainer({ env, envFrom }: Json, at: FieldPath): readonly Reference[] {
  const stays = 'CreateContainerConfigError';
  return [
    ...itemsOf(env).flatMap(({ valueFrom }, index) => {
      const { configMapKeyRef, secretKeyRef } = Object(valueFrom);
      const path = [...at, 'env', index, 'valueFrom'];
      return [...named(configMapKeyRef, 'ConfigMap', path, stays), ...named(secretKeyRef, 'Secret', path, stays)];
    }),
    ...itemsOf(envFrom).flatMap(({ configMapRef, secretRef }, index) => {
      const path = [...at, 'envFrom', index];
      return [...named(configMapRef, 'ConfigMap', path, stays), ...named(secretRef, 'Secret', path, stays)];
    }),
  ];
}

function ofVolume({ configMap, secret, projected, persistentVolumeClaim }: Json, at: FieldPath): readonly Reference[] {
  const stays = 'ContainerCreating';
  const { secretName: name, optional } = Object(secret);
  return [
    ...named(configMap, 'ConfigMap', at, stays),
    ...named({ name, optional }, 'Secret', at, stays),
    ...named({ name: Object(persistentVolumeClaim).claimName }, 'PersistentVolumeClaim', at, 'Pending'),
    ...itemsOf(Object(projected).sources).flatMap((source, index) => {
      const path = [...at, 'projected', 'sources', index];
      return [...named(source.configMap, 'ConfigMap', path, stays), ...named(source.secret, 'Secret', path, stays)];
    }),
  ];
}

function named(
  reference: unknown,
  needed: Reference['needed'],
  path: FieldPath,
  stays: Reference['stays'],
): readonly Reference[] {
  const { name, optional } = Object(reference);
  return typeof name === 'string' && optional !== true ? [{ path, needed, name, stays }] : [];
}

const itemsOf = (list: unknown): readonly Json[] => (Array.isArray(list) ? list.map((item) => Object(item)) : []);
