import type { Resource } from '../../cluster/kinds.ts';
import { selects } from '../../cluster/label-selector.ts';
import type { Ingress, Service } from '../../cluster/resources.ts';
import { type Workload, type WorkloadKind, workloadKinds } from '../../cluster/workload.ts';
import { isCanary } from './ingress-nginx-annotations.ts';

/**
 * A workload behind an Ingress or a load balancer of its own, and how visitors reach it. Names are those of the
 * manifests; a namespace that is left out is the given one.
 */
export interface OwnApplication {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  readonly host: string;
  readonly path: string;
  readonly isTls: boolean;
  readonly workload: Workload;
  readonly service: string;
  /** Null: its Service is of type LoadBalancer. */
  readonly ingress: string | null;
  /** Of the URL, if it is not the protocol's own. */
  readonly port?: number;
  /** The PodDisruptionBudget that guards it, if one does. */
  readonly disruptionBudget: string | undefined;
  /** What was taken because the manifests do not say it, one sentence each. */
  readonly assumed: readonly string[];
}

/** Why an object through which visitors would come leads to no application, one sentence each. */
export interface DeadEnd {
  readonly object: Resource;
  readonly because: string;
}

export interface Found {
  readonly applications: readonly OwnApplication[];
  readonly deadEnds: readonly DeadEnd[];
}

/**
 * The applications of these manifests, each by the first rule of an Ingress that leads to it, then those behind a load
 * balancer of their own, in the order of the manifests.
 */
export function ownApplications(objects: readonly Resource[], namespace: string): Found {
  const all = { objects, namespace };
  const ways = [
    ...objects
      .filter((one) => one.kind === 'Ingress')
      .filter(({ metadata }) => !isCanary(metadata.annotations))
      .flatMap((ingress) => waysThrough(all, ingress)),
    ...objects.filter((one) => one.kind === 'Service').flatMap((service) => wayOver(all, service)),
  ];
  const found = ways.flatMap((way) => ('because' in way ? [] : [way]));
  return {
    applications: found.filter((one, index) => found.findIndex((other) => isSame(one, other)) === index),
    deadEnds: ways.flatMap((way) => ('because' in way ? [way] : [])),
  };
}

interface Manifests {
  readonly objects: readonly Resource[];
  readonly namespace: string;
}

const isSame = (one: OwnApplication, other: OwnApplication): boolean =>
  one.name === other.name && one.namespace === other.namespace;

const namespaceOf = ({ namespace }: Manifests, { metadata }: Resource): string => metadata.namespace ?? namespace;

/** Where a rule without a host is reached: external-dns would make a record of the annotation alone. */
export const assumedHost = 'app.example.com';

function waysThrough(all: Manifests, ingress: Ingress): readonly (OwnApplication | DeadEnd)[] {
  const { rules = [], defaultBackend } = ingress.spec;
  const entries = rules.flatMap(({ host, http }) =>
    (http?.paths ?? []).map(({ path, backend }) => ({ host, path, service: backend.service?.name })),
  );
  const fallback = defaultBackend?.service?.name;
  const ways = [...entries, ...(fallback === undefined ? [] : [{ host: undefined, path: '/', service: fallback }])];
  return ways.flatMap(({ host, path, service }): readonly (OwnApplication | DeadEnd)[] => {
    if (service === undefined) return [];
    const place = placeOf(ingress, host, path);
    const behind = workloadBehind(all, ingress, service);
    if (typeof behind === 'string') return [{ object: ingress, because: behind }];
    return [{ ...behind, ...place, service, ingress: ingress.metadata.name }];
  });
}

/** The way over a Service of type LoadBalancer; none over one that selects no pods, whose endpoints others write. */
function wayOver(all: Manifests, service: Service): readonly (OwnApplication | DeadEnd)[] {
  const { metadata, spec } = service;
  const [first] = spec.ports ?? [];
  if (spec.type !== 'LoadBalancer' || spec.selector === undefined || first === undefined) return [];
  const behind = workloadBehind(all, service, metadata.name);
  if (typeof behind === 'string') return [{ object: service, because: behind }];
  if (isIngressController(behind.workload)) return [];
  const host = annotatedHost(service) ?? assumedHost;
  const { port } = spec.ports.find((one) => one.port === 80 || one.port === 443) ?? first;
  const assumed =
    annotatedHost(service) === undefined ? [`Service ${metadata.name} names no host: ${host} is asked for.`] : [];
  const isTls = port === 443;
  const place = { host, path: '/', isTls, ...(port === 80 || isTls ? {} : { port }), assumed };
  return [{ ...behind, ...place, service: metadata.name, ingress: null }];
}

/** The rehearsal has one of its own, through which the Ingresses of the manifests are reached. */
const isIngressController = ({ spec }: Workload): boolean =>
  spec.template.spec.containers.some(({ image }) => /(^|\/)ingress-nginx\/controller[:@]/.test(image));

type Place = Pick<OwnApplication, 'host' | 'path' | 'isTls' | 'assumed'>;

/** What of a path stands before the first sign of a regular expression: a dot alone is as often of a version. */
const beforeExpression = (path: string): string => path.replace(/(\.?[*+?]|[([|^$\\]).*/, '');

function placeOf(ingress: Ingress, ruleHost: string | undefined, path = '/'): Place {
  const { metadata, spec } = ingress;
  const named = ruleHost || annotatedHost(ingress);
  const host = named?.replace(/^\*\./, 'app.') ?? assumedHost;
  const plain = beforeExpression(path);
  return {
    host,
    path: plain.startsWith('/') ? plain : '/',
    isTls: (spec.tls ?? []).some(({ hosts = [] }) => hosts.length === 0 || hosts.includes(named ?? '')),
    assumed: [
      ...(named === undefined ? [`Ingress ${metadata.name} names no host: ${host} is asked for.`] : []),
      ...(named?.startsWith('*.') ? [`Ingress ${metadata.name} serves ${named}: ${host} is asked for.`] : []),
      ...(plain === path ? [] : [`The path ${path} is a regular expression: ${plain || '/'} is asked for.`]),
    ],
  };
}

/** The name that external-dns has to create, by the current annotation or the older one. */
export const annotatedHost = ({ metadata: { annotations = {} } }: Ingress | Service): string | undefined => {
  const names = annotations[hostnameAnnotation] ?? annotations['external-dns.alpha.kubernetes.io/hostname'];
  return names?.split(',')[0]?.trim() || undefined;
};

export const hostnameAnnotation = 'external-dns.kubernetes.io/hostname';

type Behind = Pick<OwnApplication, 'kind' | 'namespace' | 'name' | 'workload' | 'disruptionBudget'>;

/** `way`: the object through which visitors come. */
function workloadBehind(all: Manifests, way: Ingress | Service, name: string): Behind | string {
  const namespace = namespaceOf(all, way);
  const here = all.objects.filter((one) => namespaceOf(all, one) === namespace);
  const service = here.find((one) => one.kind === 'Service' && one.metadata.name === name) as Service | undefined;
  if (service === undefined)
    return `there is no Service ${namespace}/${name}, to which ${way.kind} ${way.metadata.name} sends`;
  const { selector = {} } = service.spec;
  const workload = here.find((one): one is Workload => isWorkload(one) && isSelected(one, selector));
  if (workload !== undefined)
    return {
      kind: workload.kind,
      namespace,
      name: workload.metadata.name,
      workload,
      disruptionBudget: budgetOf(here, workload),
    };
  const other = here.find((one) => isSelected(one, selector) || isSelectedPod(one, selector));
  return other === undefined
    ? `Service ${namespace}/${name} selects the pods of no workload: ${labelsText(selector)}`
    : `Service ${namespace}/${name} leads to ${other.kind} ${other.metadata.name}: only a Deployment, a StatefulSet or a DaemonSet can be rehearsed`;
}

const isSelectedPod = ({ kind, metadata: { labels } }: Resource, selector: Readonly<Record<string, string>>): boolean =>
  kind === 'Pod' && hasAll(labels, selector);

export const isWorkload = (one: Resource): one is Workload => workloadKinds.some((kind) => kind === one.kind);

/** Whether a Service with that selector sends to the workload's pods. */
export function isSelected(workload: Resource, selector: Readonly<Record<string, string>>): boolean {
  return hasAll((workload as Partial<Workload>).spec?.template?.metadata?.labels, selector);
}

/** No labels are asked for by a Service without a selector, which selects nothing. */
function hasAll(labels: Readonly<Record<string, string>> = {}, selector: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}

const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map((pair) => pair.join('='))
    .join(',') || 'it has no selector';

function budgetOf(here: readonly Resource[], { spec: { template } }: Workload): string | undefined {
  const budgets = here.filter((one) => one.kind === 'PodDisruptionBudget');
  const guarding = budgets.find(({ spec: { selector } }) => selects(selector, template.metadata?.labels));
  return guarding?.metadata.name;
}
