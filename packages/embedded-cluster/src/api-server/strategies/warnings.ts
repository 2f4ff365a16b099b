import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { isUnset } from '../validation/formats.ts';
import { itemsOf } from '../validation/pods/containers.ts';
import { annotationWarnings, keyWarnings, labelWarnings, termWarnings, volumeWarnings } from './deprecations.ts';

/**
 * What the API server warns of in a new Pod, or in the template of a workload (kubernetes, pkg/api/pod/warnings.go).
 */
export function podSpecWarnings(
  spec: Json | undefined,
  field: string,
  metadata: unknown,
  ofMetadata: string,
): readonly string[] {
  if (spec === undefined) return [];
  return [
    ...labelWarnings(spec.nodeSelector, `${field}.nodeSelector`),
    ...nodeWarnings(spec.affinity, `${field}.affinity.nodeAffinity`),
    ...itemsOf(spec.topologySpreadConstraints).flatMap((one, index) =>
      spreadWarnings(one, `${field}.topologySpreadConstraints[${index}]`),
    ),
    ...itemsOf(spec.volumes).flatMap((one, index) => volumeWarnings(one, `${field}.volumes[${index}]`)),
    ...duplicates(itemsOf(spec.hostAliases), 'ip', (value) => `duplicate ip ${value}`, `${field}.hostAliases`),
    ...secretWarnings(itemsOf(spec.imagePullSecrets), `${field}.imagePullSecrets`),
    ...annotationWarnings(metadata, spec, ofMetadata),
    ...itemsOf(spec.initContainers).flatMap((one, index) =>
      containerWarnings(one, `${field}.initContainers[${index}]`),
    ),
    ...itemsOf(spec.containers).flatMap((one, index) => containerWarnings(one, `${field}.containers[${index}]`)),
    ...affinityWarnings(spec.affinity, `${field}.affinity`),
    ...(Number(spec.terminationGracePeriodSeconds) < 0
      ? [`${field}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
  ];
}

const noSelector = 'a null labelSelector results in matching no pod';

function spreadWarnings({ topologyKey, labelSelector }: Json, field: string): readonly string[] {
  const unselected = labelSelector === undefined ? [`${field}.labelSelector: ${noSelector}`] : [];
  return [...keyWarnings(topologyKey, `${field}.topologyKey`), ...unselected];
}

/** Deprecated labels among those that a pod asks of its node. */
function nodeWarnings(affinity: unknown, field: string): readonly string[] {
  const { nodeAffinity }: Json = isJson(affinity) ? affinity : {};
  if (!isJson(nodeAffinity)) return [];
  const { requiredDuringSchedulingIgnoredDuringExecution: required } = nodeAffinity;
  const { preferredDuringSchedulingIgnoredDuringExecution: preferred } = nodeAffinity;
  const { nodeSelectorTerms }: Json = isJson(required) ? required : {};
  return [
    ...itemsOf(nodeSelectorTerms).flatMap((term, index) =>
      termWarnings(term, `${field}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`),
    ),
    ...itemsOf(preferred).flatMap(({ preference }, index) =>
      termWarnings(preference, `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`),
    ),
  ];
}

/** Of a list whose items have a key, which validation does not hold to it. */
function duplicates(
  list: readonly Json[],
  key: string,
  why: (value: string) => string,
  field: string,
): readonly string[] {
  const values = list.map((one) => one[key]);
  return values.flatMap((value, index) =>
    values.indexOf(value) < index ? [`${field}[${index}].${key}: ${why(JSON.stringify(value))}`] : [],
  );
}

function secretWarnings(secrets: readonly Json[], field: string): readonly string[] {
  const isNamed = ({ name }: Json) => name !== undefined && name !== '';
  const unnamed = secrets.flatMap((one, index) =>
    isNamed(one) ? [] : [`${field}[${index}].name: invalid empty name ""`],
  );
  const again = (value: string) => `duplicate name ${value}`;
  return secrets.every(isNamed) ? duplicates(secrets, 'name', again, field) : unnamed;
}

function containerWarnings({ env, ports, resources }: Json, field: string): readonly string[] {
  const names = itemsOf(env).map(({ name }) => name);
  const hidden = names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? [
          `${field}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
        ]
      : [],
  );
  return [...fractionWarnings(resources, `${field}.resources`), ...hidden, ...portWarnings(itemsOf(ports), field)];
}

function portWarnings(ports: readonly Json[], field: string): readonly string[] {
  const pairs = ports.map(({ containerPort, protocol = 'TCP' }) => `${containerPort}/${protocol}`);
  return pairs.flatMap((pair, index) => {
    const first = pairs.indexOf(pair);
    return first < index ? [`${field}.ports[${index}]: duplicate port definition with ${field}.ports[${first}]`] : [];
  });
}

/** Bytes are whole. */
export function fractionWarnings(resources: unknown, field: string): readonly string[] {
  const { requests, limits }: Json = isJson(resources) ? resources : {};
  const parts = [['limits', limits] as const, ['requests', requests] as const];
  return parts.flatMap(([name, amounts]) =>
    Object.entries(isJson(amounts) ? amounts : {}).flatMap(([resource, amount]) => {
      const isFraction = ['memory', 'ephemeral-storage'].includes(resource) && String(amount).endsWith('m');
      const why = `fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`;
      return isFraction ? [`${field}.${name}[${resource}]: ${why}`] : [];
    }),
  );
}

function affinityWarnings(affinity: unknown, field: string): readonly string[] {
  const { podAffinity, podAntiAffinity }: Json = isJson(affinity) ? affinity : {};
  return Object.entries({ podAffinity, podAntiAffinity }).flatMap(([name, one]) => {
    if (!isJson(one)) return [];
    const { requiredDuringSchedulingIgnoredDuringExecution: required } = one;
    const { preferredDuringSchedulingIgnoredDuringExecution: preferred } = one;
    const unselected = (term: unknown, at: string) =>
      isJson(term) && term.labelSelector === undefined ? [`${field}.${name}.${at}.labelSelector: ${noSelector}`] : [];
    return [
      ...itemsOf(required).flatMap((term, index) =>
        unselected(term, `requiredDuringSchedulingIgnoredDuringExecution[${index}]`),
      ),
      ...itemsOf(preferred).flatMap(({ podAffinityTerm }, index) =>
        unselected(podAffinityTerm, `preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`),
      ),
    ];
  });
}

/** A pod's host is named as it is. */
export function podWarnings({ metadata, spec }: StoredObject, before: StoredObject | undefined): readonly string[] {
  if (before !== undefined) return [];
  const surprising =
    "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]";
  return [...(metadata.name.includes('.') ? [surprising] : []), ...podSpecWarnings(spec, 'spec', metadata, 'metadata')];
}

/** Of a workload that is new, or has another template. */
export function templateWarnings({ spec }: StoredObject, before: StoredObject | undefined): readonly string[] {
  const { template }: Json = spec ?? {};
  if (!isJson(template) || template === before?.spec?.template) return [];
  return warningsOfTemplate(template, 'spec.template');
}

export function warningsOfTemplate({ metadata, spec }: Json, field: string): readonly string[] {
  return podSpecWarnings(isJson(spec) ? spec : undefined, `${field}.spec`, metadata, `${field}.metadata`);
}

export function ingressWarnings({ metadata }: StoredObject, before: StoredObject | undefined): readonly string[] {
  const key = 'kubernetes.io/ingress.class';
  const isNew = before === undefined && metadata.annotations?.[key] !== undefined;
  return isNew ? [`annotation "${key}" is deprecated, please use 'spec.ingressClassName' instead`] : [];
}

/** kubernetes, pkg/api/service/warnings.go. */
export function serviceWarnings(
  { metadata, spec = {} }: StoredObject,
  before: StoredObject | undefined,
): readonly string[] {
  const hints = 'service.kubernetes.io/topology-aware-hints';
  const hinted = before === undefined && metadata.annotations?.[hints] !== undefined;
  const mode = `annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`;
  if (spec === before?.spec) return hinted ? [mode] : [];
  const isIgnored = !isUnset(spec.externalName) && spec.type !== 'ExternalName';
  const isSticky = spec.clusterIP === 'None' && spec.sessionAffinity === 'ClientIP';
  return [
    ...(hinted ? [mode] : []),
    ...(isSticky ? ['spec.SessionAffinity is ignored for headless services'] : []),
    ...(isIgnored ? ['spec.externalName is ignored when spec.type is not "ExternalName"'] : []),
  ];
}
