import type { Resource } from '../../cluster/kinds.ts';
import { UsageError } from '../../host/errors.ts';
import { applicationName } from '../../validation/applications.ts';
import { atOwnHost, type Unreached, unreachedWorkloads } from '../../validation/manifests/assumed-ingress.ts';
import { type OwnApplication, ownApplications } from '../../validation/manifests/own-applications.ts';
import { fallbackNamespace, type Located, type ManifestObject } from './located.ts';

/** The applications to rehearse, at least one, and the Ingress that leads to it where the manifests have no way in. */
export interface Chosen {
  readonly applications: readonly [OwnApplication, ...OwnApplication[]];
  readonly assumed: readonly Located[];
}

/**
 * The applications that visitors reach, or where no manifest leads to one, those whose Service is of type NodePort;
 * `chosen` (`KIND/NAME`, or `KIND/NAMESPACE/NAME`) names one of them, or another workload with a Service. Before those
 * that nothing leads to an Ingress is assumed. `objects` are the located ones as the API server has them: with its
 * defaults, and without nulls.
 */
export function chooseApplications(
  located: readonly Located[],
  objects: readonly Resource[],
  chosen: string | undefined,
): Chosen {
  const { applications, deadEnds } = ownApplications(objects, fallbackNamespace);
  const [first, ...further] = chosenOf(applications, chosen);
  if (first !== undefined) return { applications: [first, ...further], assumed: [] };
  const unreached = unreachedWorkloads(objects, fallbackNamespace).map((one) => {
    const { kind, metadata } = one.workload;
    return { namespace: fallbackNamespace, ...metadata, kind, ...one };
  });
  const names = namesOf(unreached);
  const exposed = unreached.filter(({ service }) => service.spec.type === 'NodePort');
  const wanted = chosen === undefined ? (deadEnds.length > 0 ? [] : exposed) : chosenOf(unreached, chosen).slice(0, 1);
  const reached = withIngresses(wanted, located, objects);
  if (reached !== undefined) return reached;
  if (chosen === undefined)
    throw new UsageError([...placed(deadEnds, located, objects), ...noWayIn(deadEnds.length > 0, names)]);
  throw new UsageError([
    `--application ${chosen} is none of those that visitors reach, or that a Service selects: ${listed(namesOf(applications), names)}.`,
  ]);
}

function withIngresses(
  wanted: readonly Unreached[],
  located: readonly Located[],
  objects: readonly Resource[],
): Chosen | undefined {
  const apart = wanted.length > 1 ? wanted.map(atOwnHost) : wanted;
  const each = apart.flatMap((one) => withIngress(one, located, objects));
  const [first, ...further] = each.map(({ application }) => application);
  return first && { applications: [first, ...further], assumed: each.map(({ way }) => way) };
}

function withIngress(
  { workload, service, ingress }: Unreached,
  located: readonly Located[],
  objects: readonly Resource[],
): readonly { readonly application: OwnApplication; readonly way: Located }[] {
  // First, so that it is the one that is found where the Service selects several.
  const [found] = ownApplications([ingress, service, workload, ...objects], fallbackNamespace).applications;
  const at = located[objects.indexOf(workload)];
  if (found === undefined || at === undefined) return [];
  const way = { ...at, object: ingress as unknown as ManifestObject };
  return [{ application: { ...found, assumed: [becauseOf(workload, service), ...found.assumed] }, way }];
}

const becauseOf = ({ kind, metadata }: Unreached['workload'], service: Unreached['service']): string =>
  service.spec.type === 'NodePort'
    ? `What leads visitors to the node ports of Service ${service.metadata.name} is not in these manifests: an Ingress to it is assumed.`
    : `Nothing outside leads to ${kind} ${metadata.name}: an Ingress to its Service ${service.metadata.name} is assumed.`;

type Named = Pick<OwnApplication, 'kind' | 'namespace' | 'name'>;

const namesOf = (all: readonly Named[]): readonly string[] => all.map((one) => applicationName(one, all));

function chosenOf<T extends Named>(all: readonly T[], chosen: string | undefined): readonly T[] {
  if (chosen === undefined) return all;
  const wanted = chosen
    .toLowerCase()
    .replace(/^deploy(ments?)?\//, 'deployment/')
    .replace(/^(sts|statefulsets)\//, 'statefulset/')
    .replace(/^(ds|daemonsets)\//, 'daemonset/');
  return all.filter(({ kind, namespace, name }) =>
    [`${kind}/${name}`, `${kind}/${namespace}/${name}`].some((one) => one.toLowerCase() === wanted),
  );
}

const listed = (...names: readonly (readonly string[])[]): string =>
  [...new Set(names.flat())].join(', ') || 'there is none';

function placed(
  deadEnds: ReturnType<typeof ownApplications>['deadEnds'],
  located: readonly Located[],
  objects: readonly Resource[],
) {
  return deadEnds.map(({ object, because }) => {
    const place = located[objects.indexOf(object)];
    return `${place === undefined ? '' : `${place.file}:${place.lineOf(['spec'])}: `}${because}.`;
  });
}

function noWayIn(hasDeadEnd: boolean, names: readonly string[]): readonly string[] {
  if (hasDeadEnd) return [];
  const looked =
    'there is no application to rehearse: looked for an Ingress, an HTTPRoute or a Service of type LoadBalancer or NodePort that leads to the pods of a Deployment, a StatefulSet or a DaemonSet';
  return names.length === 0
    ? [`${looked}.`]
    : [`${looked}. Choose one with --application, before which an Ingress is assumed: ${names.join(', ')}.`];
}
