import { isJson, type Json } from '../../objects/json.ts';
import { itemsOf } from '../validation/pods/containers.ts';

const deprecatedLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
};

/** Why a label of a node is not to be used any more; undefined if it may. */
export const deprecationOf = (label: unknown): string | undefined => deprecatedLabels[String(label)];

export function labelWarnings(selector: unknown, field: string): readonly string[] {
  return Object.keys(isJson(selector) ? selector : {}).flatMap((key) => {
    const why = deprecationOf(key);
    return why === undefined ? [] : [`${field}[${key}]: ${why}`];
  });
}

/** Of the label that is named as a value. */
export function keyWarnings(label: unknown, field: string): readonly string[] {
  const why = deprecationOf(label);
  return why === undefined ? [] : [`${field}: ${label} is ${why}`];
}

/** Of the terms of a selector of nodes. */
export function termWarnings(term: unknown, field: string): readonly string[] {
  const { matchExpressions }: Json = isJson(term) ? term : {};
  return itemsOf(matchExpressions).flatMap(({ key }, index) =>
    keyWarnings(key, `${field}.matchExpressions[${index}].key`),
  );
}

/** The name of a type of volume is not always that of its field. */
const deprecatedVolumes: Readonly<Record<string, readonly [name: string, why: string]>> = {
  photonPersistentDisk: ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  gitRepo: ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  scaleIO: ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  flocker: ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  storageos: ['storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  quobyte: ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  glusterfs: ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  cephfs: ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  rbd: ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
};

export function volumeWarnings(volume: Json, field: string): readonly string[] {
  return Object.entries(deprecatedVolumes).flatMap(([type, [name, why]]) =>
    volume[type] === undefined ? [] : [`${field}.${name}: ${why}`],
  );
}

const useField = (name: string) => `use the "${name}" field instead`;
const seccomp = `non-functional in v1.27+; ${useField('seccompProfile')}`;

/** Annotations that fields have replaced. */
export function annotationWarnings(metadata: unknown, spec: Json, field: string): readonly string[] {
  const { annotations }: Json = isJson(metadata) ? metadata : {};
  if (!isJson(annotations)) return [];
  const critical = spec.priorityClassName === undefined || spec.priorityClassName === '';
  const containers = [...itemsOf(spec.initContainers), ...itemsOf(spec.containers)];
  const replaced: readonly (readonly [key: string, why: string, isReplaced: boolean])[] = [
    [
      'scheduler.alpha.kubernetes.io/critical-pod',
      `non-functional in v1.16+; ${useField('priorityClassName')}`,
      critical,
    ],
    ['security.alpha.kubernetes.io/sysctls', `non-functional in v1.11+; ${useField('sysctls')}`, true],
    ['security.alpha.kubernetes.io/unsafe-sysctls', `non-functional in v1.11+; ${useField('sysctls')}`, true],
    [
      'seccomp.security.alpha.kubernetes.io/pod',
      seccomp,
      !isJson(spec.securityContext) || spec.securityContext.seccompProfile === undefined,
    ],
    ...containers.flatMap(({ name, securityContext }) => {
      const { seccompProfile, appArmorProfile }: Json = isJson(securityContext) ? securityContext : {};
      const armor = `deprecated since v1.30; ${useField('appArmorProfile')}`;
      return [
        [`container.seccomp.security.alpha.kubernetes.io/${name}`, seccomp, seccompProfile === undefined] as const,
        [`container.apparmor.security.beta.kubernetes.io/${name}`, armor, appArmorProfile === undefined] as const,
      ];
    }),
  ];
  return replaced.flatMap(([key, why, isReplaced]) =>
    isReplaced && annotations[key] !== undefined ? [`${field}.annotations[${key}]: ${why}`] : [],
  );
}
