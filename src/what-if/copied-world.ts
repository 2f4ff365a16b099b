import {
  createCluster,
  type EmbeddedCluster,
  foundWorld,
  type Kinds,
  usualSurroundings,
} from '@holdfast/embedded-cluster';
import { type Copy, ofKind } from '../copy/copy.ts';
import { ownTimes, type Pace } from './own-times.ts';
import type { WorkloadOf } from './workloads-of.ts';

export interface WorldOptions {
  readonly seed: string;
  readonly pace: Pace;
}

type Resource = Kinds[keyof Kinds];

/** The embedded cluster as the cluster of the copy was. */
export function copiedWorld(copy: Copy, workloadOf: WorkloadOf, { seed, pace }: WorldOptions): EmbeddedCluster {
  const saved = foundWorld({ at: copy.takenAt, objects: objectsOf(copy).map(withCommands) });
  return createCluster({
    // The uids of a copy of an embedded cluster are those that its seed gives.
    seed: `what-if ${seed}`,
    saved,
    own: ownTimes(copy, workloadOf, pace),
    surroundings: surroundingsOf(copy),
    ...(pace === 'usual' ? {} : { pace }),
  });
}

/** Without load the autoscaler of pods would scale all down; a Job that starts belongs to no action. */
const leftOut = new Set(['HorizontalPodAutoscaler', 'CronJob', 'Gateway', 'HTTPRoute', 'ResourceQuota']);

function objectsOf(copy: Copy): readonly Resource[] {
  const kinds = [...copy.objects].filter(([kind]) => !leftOut.has(kind));
  const objects = kinds.flatMap(([, ofKind]) => ofKind) as unknown as readonly Resource[];
  const all = copy.objects.has('PersistentVolumeClaim')
    ? objects
    : objects.map((object) => inPods(object, withoutClaims));
  return [...missingClasses(copy), ...all];
}

/** Where the volumes are is not known: they bind their pods to no place. */
const withoutClaims = ({ volumes = [], ...spec }: PodSpec): PodSpec => ({
  ...spec,
  volumes: volumes.filter(({ persistentVolumeClaim }) => persistentVolumeClaim === undefined),
});

/** The priority classes that pods name and a copy does not have; the API refuses pods without. */
function missingClasses(copy: Copy): readonly Resource[] {
  const there = new Set((copy.objects.get('PriorityClass') ?? []).map(({ metadata }) => metadata.name));
  const specs = ofKind(copy, 'Pod').map(({ spec }) => spec);
  const templates = [...ofKind(copy, 'Deployment'), ...ofKind(copy, 'StatefulSet'), ...ofKind(copy, 'DaemonSet')];
  const values = new Map<string, number>();
  for (const { priorityClassName = '', priority = 0 } of [...templates.map((one) => one.spec.template.spec), ...specs])
    if (priorityClassName !== '' && !priorityClassName.startsWith('system-')) values.set(priorityClassName, priority);
  return [...values]
    .filter(([name]) => !there.has(name))
    .map(([name, value]) => ({
      ...({
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name },
        value,
      } as unknown as Resource),
    }));
}

function surroundingsOf(copy: Copy) {
  const labels = ofKind(copy, 'Node').flatMap(({ metadata }) => metadata.labels?.['topology.kubernetes.io/zone'] ?? []);
  const [first, ...others] = [...new Set(labels)].sort();
  const karpenter = ofKind(copy, 'Pod').find(({ spec }) =>
    spec.containers.some(({ image }) => /karpenter/.test(image)),
  );
  return {
    ...usualSurroundings,
    ...(first === undefined ? {} : { zones: [first, ...others] as const }),
    ...(karpenter === undefined
      ? { nodeGroup: {} }
      : { autoscaler: { namespace: karpenter.metadata.namespace ?? '', labels: karpenter.metadata.labels ?? {} } }),
  };
}

/** The commands of probes and hooks were not kept; the API has none without. */
const withCommands = (object: Resource): Resource => inPods(object, completed);

function inPods(object: Resource, change: (spec: PodSpec) => PodSpec): Resource {
  if (object.kind === 'Pod') return { ...object, spec: change(object.spec) };
  if (!isTemplated(object)) return object;
  const { template } = object.spec;
  return { ...object, spec: { ...object.spec, template: { ...template, spec: change(template.spec) } } } as Resource;
}

type Templated = Kinds['Deployment' | 'ReplicaSet' | 'StatefulSet' | 'DaemonSet' | 'Job'];
const templated = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job']);
const isTemplated = (object: Resource): object is Templated => templated.has(object.kind);

type PodSpec = Kinds['Pod']['spec'];

function completed(spec: PodSpec): PodSpec {
  const { containers, initContainers } = spec;
  return {
    ...spec,
    containers: containers.map(withContainerCommands),
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(withContainerCommands) }),
  };
}

function withContainerCommands<C extends PodSpec['containers'][number]>(container: C): C {
  const probes = (['readinessProbe', 'livenessProbe', 'startupProbe'] as const).flatMap((name) => {
    const probe = container[name];
    return probe?.exec === undefined ? [] : [[name, { ...probe, exec: { command: unknown } }] as const];
  });
  const preStop = container.lifecycle?.preStop;
  const hook =
    preStop?.exec !== undefined && preStop.exec.command === undefined ? { exec: { command: unknown } } : preStop;
  const lifecycle = hook === undefined || Object.keys(hook).length === 0 ? {} : { lifecycle: { preStop: hook } };
  const { lifecycle: _, ...rest } = container;
  return { ...rest, ...Object.fromEntries(probes), ...lifecycle } as C;
}

/** A command of which nothing is known; nothing runs it. */
const unknown = ['unknown'];
