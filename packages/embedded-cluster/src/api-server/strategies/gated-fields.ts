import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { at, mapped, withMember } from './strategy.ts';

/** Where a kind has the spec of its pods. */
const podSpecs: Readonly<Record<string, string | undefined>> = {
  CronJob: 'spec.jobTemplate.spec.template.spec',
  DaemonSet: 'spec.template.spec',
  Deployment: 'spec.template.spec',
  Job: 'spec.template.spec',
  Pod: 'spec',
  'PodTemplate.': 'template.spec',
  ReplicaSet: 'spec.template.spec',
  'ReplicationController.': 'spec.template.spec',
  StatefulSet: 'spec.template.spec',
};

/** The object without the fields behind feature gates that are off, which its managers own all the same. */
export function ungated(collection: string, object: StoredObject, before: StoredObject | undefined): StoredObject {
  const path = podSpecs[collection];
  const whole = ownFields[collection]?.(object) ?? object;
  if (path === undefined || (before !== undefined && object.spec === before.spec)) return whole;
  return at(whole, path, (spec) => (isJson(spec) ? withoutGatedFields(spec) : spec));
}

/** Of other parts of some kinds: HPAConfigurableTolerance, MaxUnavailableStatefulSet. */
const ownFields: Readonly<Record<string, ((object: StoredObject) => StoredObject) | undefined>> = {
  HorizontalPodAutoscaler: (object) =>
    ['scaleUp', 'scaleDown'].reduce((whole, key) => without(whole, `spec.behavior.${key}`, 'tolerance'), object),
  StatefulSet: (object) => without(object, 'spec.updateStrategy.rollingUpdate', 'maxUnavailable'),
};

const without = (object: StoredObject, path: string, key: string): StoredObject =>
  at(object, path, (value) => {
    if (!isJson(value) || value[key] === undefined) return value;
    const { [key]: _, ...rest } = value;
    return rest;
  });

/**
 * A pod's spec without the fields behind feature gates that are off in 1.34, which the API server drops without a word
 * (kubernetes, pkg/api/pod/util.go, dropDisabledFields). The same spec if it has none of them.
 */
function withoutGatedFields(spec: Json): Json {
  const { hostnameOverride, ...named } = spec;
  const whole = hostnameOverride === undefined ? spec : named;
  const images = imageVolumes(whole);
  const containers = (list: unknown, key: string) =>
    Array.isArray(list) ? mapped(list as readonly Json[], (one) => withoutGated(one, key, images)) : list;
  const kept = images.length === 0 ? whole : withoutImageVolumes(whole);
  return ['containers', 'initContainers', 'ephemeralContainers'].reduce(
    (object, key) => withMember(object, key, (list) => containers(list, key)),
    kept,
  );
}

/** ImageVolume. */
function imageVolumes({ volumes }: Json): readonly unknown[] {
  if (!Array.isArray(volumes)) return [];
  return volumes.flatMap((volume) => (isJson(volume) && volume.image !== undefined ? [volume.name ?? ''] : []));
}

function withoutImageVolumes({ volumes, ...spec }: Json): Json {
  const others = (volumes as readonly unknown[]).filter((volume) => !(isJson(volume) && volume.image !== undefined));
  return others.length === 0 ? spec : { ...spec, volumes: others };
}

function withoutGated(container: Json, list: string, images: readonly unknown[]): Json {
  if (!isJson(container)) return container;
  const unsignalled = withoutStopSignal(withoutRestartRules(container, list));
  if (images.length === 0 || !Array.isArray(unsignalled.volumeMounts)) return unsignalled;
  const mounts = unsignalled.volumeMounts.filter((mount) => !(isJson(mount) && images.includes(mount.name ?? '')));
  return { ...unsignalled, volumeMounts: mounts };
}

/** ContainerRestartRules: without it only an init container has a policy, `Always`. */
function withoutRestartRules(container: Json, list: string): Json {
  const { restartPolicyRules, restartPolicy, ...rest } = container;
  const keeps = list === 'initContainers' && restartPolicy === 'Always';
  if (restartPolicyRules === undefined && (restartPolicy === undefined || keeps)) return container;
  return keeps ? { ...rest, restartPolicy } : rest;
}

/** ContainerStopSignals. */
function withoutStopSignal(container: Json): Json {
  const { lifecycle, ...rest } = container;
  if (!isJson(lifecycle) || lifecycle.stopSignal === undefined) return container;
  const { stopSignal: _, ...handlers } = lifecycle;
  return Object.keys(handlers).length === 0 ? rest : { ...rest, lifecycle: handlers };
}
