import { preStopOf } from '../../cluster/pre-stop.ts';
import type { Node, Pod } from '../../cluster/resources.ts';
import type { Container } from '../../cluster/specs.ts';
import type { PersistentVolumeClaim } from '../../cluster/volumes.ts';
import type { Workload } from '../../cluster/workload.ts';
import { parseDuration } from '../../settings/duration.ts';
import { zoneLabel } from '../observe/probe-zones.ts';
import type { Before } from '../observe/snapshot.ts';
import { readyPods } from '../observe/snapshot.ts';
import { type Range, range, sum } from '../record/prediction.ts';
import { typicalDurations } from './typical-durations.ts';

/** What a prediction depends on, as far as the live objects show it. */
export interface Circumstances {
  /** Whether every container has a readiness probe. */
  readonly hasReadinessProbe: boolean;
  /** From the start of a container to Ready: with its image on the node, and with an image that is pulled. */
  readonly cachedStart: Range;
  readonly pulledStart: Range;
  readonly preStopSeconds: number;
  readonly graceSeconds: number;
  /** Whether a pod is made again only when the old one is gone, as a StatefulSet does. */
  readonly replacesWhenGone: boolean;
  /** Whether a drain leaves the pods on their node, as it does those of a DaemonSet. */
  readonly staysInDrain: boolean;
  /** Whether each pod has a volume of its own that one node at a time can have. */
  readonly hasOwnVolumes: boolean;
  /** Nodes that hold a ready pod of the application. */
  readonly applicationNodes: number;
  /** Zones that hold a ready pod of the application. */
  readonly applicationZones: number;
  readonly poolNodes: number;
  /** Whether the scheduler puts no two new replicas on one new node. */
  readonly oneReplicaANode: boolean;
  /** Whether the scheduler puts replicas into more than one zone. */
  readonly spreadOverZones: boolean;
  /** Whether the pool keeps nodes without pods for the length of a run. */
  readonly keepsEmptyNodes: boolean;
  readonly budgets: readonly string[];
  /** `--node-monitor-grace-period`: 50 s from Kubernetes 1.32 on, 40 s before. */
  readonly nodeMonitorGraceSeconds: number;
  /** Whether Karpenter is notified when an instance ends; undefined if there is no pod of it to read that from. */
  readonly hasInterruptionQueue: boolean | undefined;
  readonly ingressReplicas: number;
  readonly ingressNodes: number;
  /** The records of the application's name; undefined if they were not read, or there are none. */
  readonly record: NameRecord | undefined;
}

/** What decides how long resolvers keep a name. */
export interface NameRecord {
  readonly types: readonly string[];
  readonly isAlias: boolean;
  readonly ttlSeconds: number;
}

/** The live objects that a prediction depends on. */
export interface LiveObjects {
  readonly before: Before;
  /** The autoscaler's pods. */
  readonly autoscaler: readonly Pod[];
  readonly record?: NameRecord | undefined;
}

export function circumstancesOf({ before, autoscaler, record }: LiveObjects): Circumstances {
  const { workload, nodes, claims, pool, ingressPods } = before;
  const versions = nodes.map(({ status }) => status?.nodeInfo?.kubeletVersion ?? '');
  return {
    ...startsOf(workload),
    applicationNodes: nodesOf(readyPods(before)),
    applicationZones: zonesOf(readyPods(before), nodes),
    poolNodes: claims.length,
    oneReplicaANode: workload?.kind === 'DaemonSet' || isSpreadOver(workload, perNode),
    spreadOverZones: isSpreadOver(workload, zoneLabel),
    keepsEmptyNodes: emptyForSeconds(pool) >= runSeconds,
    budgets: (pool?.spec.disruption?.budgets ?? []).map(({ nodes: allowed }) => allowed),
    nodeMonitorGraceSeconds: versions.some((version) => minorOf(version) < 32) ? 40 : 50,
    hasInterruptionQueue: autoscaler.length === 0 ? undefined : autoscaler.some(listensToInterruptions),
    ingressReplicas: ingressPods.length,
    ingressNodes: nodesOf(ingressPods),
    record,
  };
}

type Starts = Pick<
  Circumstances,
  | 'hasReadinessProbe'
  | 'cachedStart'
  | 'pulledStart'
  | 'preStopSeconds'
  | 'graceSeconds'
  | 'replacesWhenGone'
  | 'staysInDrain'
  | 'hasOwnVolumes'
>;

/**
 * Karpenter counts no replica on a node that does not exist yet, so a spread of `maxSkew` 1 over nodes gives each
 * replica a new node of its own; a DaemonSet has one pod a node.
 */
function isSpreadOver(workload: Workload | undefined, key: string): boolean {
  const { topologySpreadConstraints: spread = [], affinity } = workload?.spec.template.spec ?? {};
  const apart = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return (
    apart.some(({ topologyKey }) => topologyKey === key) ||
    spread.some(
      ({ topologyKey, whenUnsatisfiable, maxSkew }) =>
        topologyKey === key && whenUnsatisfiable === 'DoNotSchedule' && maxSkew === 1,
    )
  );
}

const perNode = 'kubernetes.io/hostname';

/** A whole run takes about half an hour. */
const runSeconds = 1800;

/** `consolidateAfter` of the pool; `Never` is no duration. */
const emptyForSeconds = (pool: Before['pool']): number =>
  parseDuration(pool?.spec.disruption?.consolidateAfter ?? 'Never') ?? Number.POSITIVE_INFINITY;

/** The termination grace period of a pod that does not set one (core/v1). */
export const defaultGraceSeconds = 30;

function startsOf(workload: Workload | undefined): Starts {
  const spec = workload?.spec.template.spec;
  const containers = spec?.containers ?? [];
  const ready = range(0, Math.max(0, ...containers.map(readyAfter)));
  return {
    hasReadinessProbe: containers.length > 0 && containers.every(({ readinessProbe }) => readinessProbe !== undefined),
    cachedStart: sum(typicalDurations.cachedStart, ready),
    pulledStart: sum(typicalDurations.pulledStart, ready),
    preStopSeconds: Math.max(0, ...containers.map(preStopOf)),
    graceSeconds: spec?.terminationGracePeriodSeconds ?? defaultGraceSeconds,
    replacesWhenGone: workload?.kind === 'StatefulSet',
    staysInDrain: workload?.kind === 'DaemonSet',
    hasOwnVolumes: workload?.kind === 'StatefulSet' && (workload.spec.volumeClaimTemplates ?? []).some(isOfOneNode),
  };
}

const isOfOneNode = ({ spec }: Pick<PersistentVolumeClaim, 'spec'>): boolean =>
  spec.accessModes?.every((mode) => mode === 'ReadWriteOnce' || mode === 'ReadWriteOncePod') === true;

/** The most that a readiness probe takes: its delay, its successes, and a second of the kubelet. */
function readyAfter({ readinessProbe: probe }: Container): number {
  if (probe === undefined) return 0;
  const { initialDelaySeconds = 0, periodSeconds = 10, successThreshold = 1 } = probe;
  return initialDelaySeconds + periodSeconds * successThreshold + 1;
}

const nodesOf = (pods: readonly Pod[]): number => new Set(pods.flatMap(({ spec }) => spec.nodeName ?? [])).size;

function zonesOf(pods: readonly Pod[], nodes: readonly Node[]): number {
  const holding = nodes.filter(({ metadata }) => pods.some(({ spec }) => spec.nodeName === metadata.name));
  return new Set(holding.flatMap(({ metadata }) => metadata.labels?.[zoneLabel] ?? [])).size;
}

/** The minor version of `v1.34.1-eks-1`; an unknown version counts as a new one. */
const minorOf = (version: string): number => Number(/^v1\.(\d+)/.exec(version)?.[1] ?? Number.POSITIVE_INFINITY);

/** Karpenter's `--interruption-queue` or `INTERRUPTION_QUEUE`. */
function listensToInterruptions({ spec }: Pod): boolean {
  return spec.containers.some(
    ({ args = [], env = [] }) =>
      args.some((arg) => /^--interruption-queue(=|$)/.test(arg)) ||
      env.some(({ name, value }) => name === 'INTERRUPTION_QUEUE' && (value ?? '') !== ''),
  );
}
