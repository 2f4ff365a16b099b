import {
  allocatableOf,
  amounts,
  fieldPath,
  fits,
  type InstanceType,
  quantity,
  requestsOf,
  typesMeeting,
} from '@holdfast/embedded-cluster';
import type { Resource } from '../../cluster/kinds.ts';
import { requirementText } from '../../cluster/requirements.ts';
import type { Workload } from '../../cluster/workload.ts';
import type { OwnApplication } from '../../validation/manifests/own-applications.ts';
import { assumedPool } from '../../validation/manifests/own-settings.ts';
import { validationSchema } from '../../validation/settings.ts';
import { deadPorts } from './dead-ports.ts';
import type { Located } from './located.ts';

/** A whole rehearsal of 1,000 pods took 141 s and 1.1 GB on two busy cores (docs/rehearse-your-own.md). */
export const mostPods = 1000;

/**
 * Why these manifests cannot be rehearsed although an API server takes them, `FILE:LINE: FIELD: sentence` each.
 * `objects` are the located ones as the API server has them.
 */
export function notRunnable(
  located: readonly Located[],
  objects: readonly Resource[],
  applications: readonly OwnApplication[],
): readonly string[] {
  const told = (object: Resource, field: string, sentence: string) => {
    const one = located[objects.indexOf(object)];
    const named = one?.standsFor ?? field;
    return `${one === undefined ? '' : `${one.file}:${one.lineOf(fieldPath(field))}: `}${named}: ${sentence}.`;
  };
  const pools = objects.filter((one) => one.kind === 'NodePool');
  const tooMany = mostReplicas(objects);
  return [
    ...(tooMany === undefined ? [] : [told(tooMany.largest, tooMany.field, tooMany.sentence)]),
    ...applications.flatMap((one) =>
      deadPorts(objects, one).map(({ object, field, sentence }) => told(object, field, sentence)),
    ),
    ...pools.flatMap((pool) => {
      const { requirements } = pool.spec.template.spec;
      const all = requirements.map(requirementText).join('; ');
      return typesMeeting(requirements).length > 0
        ? []
        : [told(pool, 'spec.template.spec.requirements', `no instance type of EC2 is all of it: ${all}`)];
    }),
    ...applications.flatMap(({ workload }) => {
      if (workload.kind !== 'DaemonSet' && workload.spec.replicas === 0)
        return [told(workload, 'spec.replicas', '0 pods answer no visitor: write 2 or more to rehearse it')];
      const { spec } = workload.spec.template;
      const types = (pools.length > 0 ? pools : [assumedPool(usual, spec)]).flatMap((pool) =>
        typesMeeting(pool.spec.template.spec.requirements),
      );
      const unfit = types.length === 0 ? undefined : tooLarge(workload, types);
      return unfit === undefined ? [] : [told(workload, unfit.field, unfit.sentence)];
    }),
  ];
}

/** The field in which a kind says how many pods there are at once. */
const countFields: Readonly<Record<string, string>> = {
  Deployment: 'replicas',
  ReplicaSet: 'replicas',
  StatefulSet: 'replicas',
  Job: 'parallelism',
  HorizontalPodAutoscaler: 'minReplicas',
};

function mostReplicas(objects: readonly Resource[]) {
  const counted = objects.flatMap((object) => {
    const name = countFields[object.kind];
    const count = name === undefined ? undefined : Object(Object(object).spec)[name];
    return typeof count === 'number' ? [{ object, field: `spec.${name}`, count }] : [];
  });
  const [first] = counted.toSorted((a, b) => b.count - a.count);
  const pods = counted.reduce((sum, { count }) => sum + count, 0);
  if (first === undefined || pods <= mostPods) return undefined;
  const { object, field, count } = first;
  const all = pods === count ? `${pods} pods` : `${pods} pods, with those of the other objects,`;
  return { largest: object, field, sentence: `${all} are too many to rehearse: write at most ${mostPods} in all` };
}

const usual = validationSchema.parse({});

/** A resource of which the pod asks more than any node has, at the container that asks most of it. */
function tooLarge({ spec: { template } }: Workload, types: readonly InstanceType[]) {
  const nodes = types.map((type) => amounts(allocatableOf(type)));
  const wanted = requestsOf(template.spec);
  const name = Object.keys(wanted).find((one) => !nodes.some((free) => fits({ [one]: wanted[one] ?? 0 }, free)));
  if (name === undefined) return undefined;
  const requests = template.spec.containers.map(({ resources }) => resources?.requests?.[name]);
  const index = requests.map(quantity).indexOf(Math.max(...requests.map(quantity)));
  const resource = /[./]/.test(name) ? `[${name}]` : `.${name}`;
  const field = `spec.template.spec.containers[${index}].resources.requests${resource}`;
  return { field, sentence: `${requests[index] ?? 'none'}: ${largestNode(name, types)}` };
}

function largestNode(name: string, types: readonly InstanceType[]): string {
  const [has] = types.flatMap((type) => allocatableOf(type)[name] ?? []).toSorted((a, b) => quantity(b) - quantity(a));
  return has === undefined
    ? 'no node of its node pools has any of it: leave it out, or add the NodePool that has'
    : `no node holds such a pod: the largest has ${has} for all containers of its pods: ask for less`;
}
