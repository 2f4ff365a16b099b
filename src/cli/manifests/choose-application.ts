import type { Resource } from '../../cluster/kinds.ts';
import { UsageError } from '../../host/errors.ts';
import { unreachedWorkloads } from '../../validation/manifests/assumed-ingress.ts';
import { type OwnApplication, ownApplications } from '../../validation/manifests/own-applications.ts';
import { fallbackNamespace, type Located, type ManifestObject } from './located.ts';

/** The applications to rehearse, at least one, and the Ingress that leads to it where the manifests have no way in. */
export interface Chosen {
  readonly applications: readonly [OwnApplication, ...OwnApplication[]];
  readonly assumed: readonly Located[];
}

/**
 * The applications that visitors reach; `chosen` (`KIND/NAME`) names one of them, or another workload with a Service, before which an
 * Ingress is assumed. `objects` are the located ones as the API server has them: with its defaults, and without nulls.
 */
export function chooseApplications(
  located: readonly Located[],
  objects: readonly Resource[],
  chosen: string | undefined,
): Chosen {
  const { applications, deadEnds } = ownApplications(objects, fallbackNamespace);
  const [first, ...further] =
    chosen === undefined ? applications : applications.filter((one) => isNamed(nameOf(one), chosen));
  if (first !== undefined) return { applications: [first, ...further], assumed: [] };
  const unreached = unreachedWorkloads(objects, fallbackNamespace);
  const names = unreached.map(({ workload: { kind, metadata } }) => `${kind}/${metadata.name}`);
  const wanted = chosen === undefined ? undefined : unreached[names.findIndex((name) => isNamed(name, chosen))];
  if (wanted !== undefined) {
    const { workload, service, ingress } = wanted;
    // First, so that it is the one that is found where the Service selects several.
    const [found] = ownApplications([ingress, service, workload, ...objects], fallbackNamespace).applications;
    const at = located[objects.indexOf(workload)];
    if (found !== undefined && at !== undefined) {
      const because = `Nothing outside leads to ${workload.kind} ${workload.metadata.name}: an Ingress to its Service ${service.metadata.name} is assumed.`;
      const way = { ...at, object: ingress as unknown as ManifestObject };
      return { applications: [{ ...found, assumed: [because, ...found.assumed] }], assumed: [way] };
    }
  }
  throw new UsageError(
    chosen === undefined
      ? [...placed(deadEnds, located, objects), ...noWayIn(deadEnds.length > 0, names)]
      : [
          `--application ${chosen} is none of those that visitors reach, or that a Service selects: ${listed(applications.map(nameOf), names)}.`,
        ],
  );
}

const nameOf = ({ kind, name }: OwnApplication): string => `${kind}/${name}`;

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
    'there is no application to rehearse: looked for an Ingress, an HTTPRoute or a Service of type LoadBalancer that leads to the pods of a Deployment or a StatefulSet';
  return names.length === 0
    ? [`${looked}.`]
    : [`${looked}. Choose one with --application, before which an Ingress is assumed: ${names.join(', ')}.`];
}

const isNamed = (name: string, chosen: string): boolean =>
  name.toLowerCase() ===
  chosen
    .toLowerCase()
    .replace(/^deploy(ments?)?\//, 'deployment/')
    .replace(/^(sts|statefulsets)\//, 'statefulset/');
