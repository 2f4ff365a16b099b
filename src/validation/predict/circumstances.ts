import { preStopOf } from '../../cluster/pods.ts';
import type { Deployment, Pod } from '../../cluster/resources.ts';
import type { Container } from '../../cluster/specs.ts';
import type { Before } from '../observe/snapshot.ts';
import { readyPods } from '../observe/snapshot.ts';
import { type Range, range, sum } from '../record/prediction.ts';
import { usual } from './typical-durations.ts';

/** What a prediction depends on, as far as the live objects say it. */
export interface Circumstances {
  /** Whether a container is Ready only when it says so. */
  readonly hasReadinessProbe: boolean;
  /** From the start of a container to Ready, its image on the disk, or pulled. */
  readonly cachedStart: Range;
  readonly pulledStart: Range;
  readonly preStopSeconds: number;
  readonly graceSeconds: number;
  /** Nodes that hold a ready pod of the application. */
  readonly applicationNodes: number;
  readonly poolNodes: number;
  readonly budgets: readonly string[];
  /** `--node-monitor-grace-period`: 50 s from Kubernetes 1.32 on, 40 s before. */
  readonly nodeMonitorGraceSeconds: number;
  /** Whether Karpenter hears of an instance that ends; undefined where its Deployment may not be read. */
  readonly hasInterruptionQueue: boolean | undefined;
  readonly ingressReplicas: number;
  readonly ingressNodes: number;
}

/** The live objects that matter, read by the caller. */
export interface LiveObjects {
  readonly before: Before;
  /** The autoscaler's pods. */
  readonly autoscaler: readonly Pod[];
}

/** Pure. */
export function circumstancesOf({ before, autoscaler }: LiveObjects): Circumstances {
  const { deployment, nodes, claims, pool, ingressPods } = before;
  const versions = nodes.map(({ status }) => status?.nodeInfo?.kubeletVersion ?? '');
  return {
    ...startsOf(deployment),
    applicationNodes: nodesOf(readyPods(before)),
    poolNodes: claims.length,
    budgets: (pool?.spec.disruption?.budgets ?? []).map(({ nodes: allowed }) => allowed),
    nodeMonitorGraceSeconds: versions.some((version) => minorOf(version) < 32) ? 40 : 50,
    hasInterruptionQueue: autoscaler.length === 0 ? undefined : autoscaler.some(listensToInterruptions),
    ingressReplicas: ingressPods.length,
    ingressNodes: nodesOf(ingressPods),
  };
}

type Starts = Pick<
  Circumstances,
  'hasReadinessProbe' | 'cachedStart' | 'pulledStart' | 'preStopSeconds' | 'graceSeconds'
>;

/** core/v1: a pod without the field has a grace of 30 s. */
const defaultGraceSeconds = 30;

function startsOf(deployment: Deployment | undefined): Starts {
  const spec = deployment?.spec.template.spec;
  const containers = spec?.containers ?? [];
  const ready = range(0, Math.max(0, ...containers.map(readyAfter)));
  return {
    hasReadinessProbe: containers.length > 0 && containers.every(({ readinessProbe }) => readinessProbe !== undefined),
    cachedStart: sum(usual.cachedStart, ready),
    pulledStart: sum(usual.pulledStart, ready),
    preStopSeconds: Math.max(0, ...containers.map(preStopOf)),
    graceSeconds: spec?.terminationGracePeriodSeconds ?? defaultGraceSeconds,
  };
}

/** At most: the first look, and as many more as it takes; then the kubelet's own turn of a second. */
function readyAfter({ readinessProbe: probe }: Container): number {
  if (probe === undefined) return 0;
  const { initialDelaySeconds = 0, periodSeconds = 10, successThreshold = 1 } = probe;
  return initialDelaySeconds + periodSeconds * successThreshold + 1;
}

const nodesOf = (pods: readonly Pod[]): number => new Set(pods.flatMap(({ spec }) => spec.nodeName ?? [])).size;

/** `v1.34.1-eks-1`; what says nothing is taken to be new. */
const minorOf = (version: string): number => Number(/^v1\.(\d+)/.exec(version)?.[1] ?? Number.POSITIVE_INFINITY);

/** Karpenter's `--interruption-queue` or `INTERRUPTION_QUEUE`. */
function listensToInterruptions({ spec }: Pod): boolean {
  return spec.containers.some(
    ({ args = [], env = [] }) =>
      args.some((arg) => /^--interruption-queue(=|$)/.test(arg)) ||
      env.some(({ name, value }) => name === 'INTERRUPTION_QUEUE' && (value ?? '') !== ''),
  );
}
