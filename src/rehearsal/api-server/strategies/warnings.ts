import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { itemsOf } from '../validation/pods/containers.ts';

/** What the API server warns of in a new Pod, or in the template of a workload (kubernetes, pkg/api/pod/warnings.go). */
export function podSpecWarnings(spec: Json | undefined, field: string): readonly string[] {
  if (spec === undefined) return [];
  return [
    ...labelWarnings(spec.nodeSelector, `${field}.nodeSelector`),
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

const deprecatedLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
};

function labelWarnings(selector: unknown, field: string): readonly string[] {
  return Object.keys(isJson(selector) ? selector : {}).flatMap((key) => {
    const why = deprecatedLabels[key];
    return why === undefined ? [] : [`${field}[${key}]: ${why}`];
  });
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
function fractionWarnings(resources: unknown, field: string): readonly string[] {
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
  const why = 'a null labelSelector results in matching no pod';
  return Object.entries({ podAffinity, podAntiAffinity }).flatMap(([name, one]) => {
    const { requiredDuringSchedulingIgnoredDuringExecution: required }: Json = isJson(one) ? one : {};
    return itemsOf(required).flatMap(({ labelSelector }, index) =>
      labelSelector === undefined
        ? [`${field}.${name}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector: ${why}`]
        : [],
    );
  });
}

/** A pod's host is named as it is. */
export function podWarnings({ metadata, spec }: StoredObject, before: StoredObject | undefined): readonly string[] {
  if (before !== undefined) return [];
  const surprising =
    "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]";
  return [...(metadata.name.includes('.') ? [surprising] : []), ...podSpecWarnings(spec, 'spec')];
}

/** Of a workload that is new, or has another template. */
export function templateWarnings({ spec }: StoredObject, before: StoredObject | undefined): readonly string[] {
  const { template }: Json = spec ?? {};
  if (!isJson(template) || template === before?.spec?.template) return [];
  return podSpecWarnings(isJson(template.spec) ? template.spec : undefined, 'spec.template.spec');
}

export function ingressWarnings({ metadata }: StoredObject, before: StoredObject | undefined): readonly string[] {
  const key = 'kubernetes.io/ingress.class';
  const isNew = before === undefined && metadata.annotations?.[key] !== undefined;
  return isNew ? [`annotation "${key}" is deprecated, please use 'spec.ingressClassName' instead`] : [];
}
