import type { Job } from '../../cluster/batch.ts';
import type { Affinity, Toleration, WeightedPodAffinityTerm } from '../../cluster/specs.ts';
import type { LoadPlan } from '../../host/host.ts';
import { longestSeconds } from '../../host/load/worker.ts';

/** A load that many pods make together. */
export interface LoadJob {
  readonly namespace: string;
  readonly plan: LoadPlan;
  readonly workers: number;
  readonly pod: WorkerPod;
  /** How long all workers are waited for before the common start. */
  readonly startWithinSeconds: number;
}
export interface WorkerPod {
  readonly image: string;
  /** Requested, and not more: a worker takes nothing from its neighbours. */
  readonly cpu: string;
  readonly memory: string;
  readonly tolerations: readonly Toleration[];
  readonly priorityClass?: string;
  /** The nodes for the workers; absent: those that Karpenter did not launch. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly avoidsKarpenter: boolean;
  /** Pods that the workers keep away from. */
  readonly avoided: readonly { readonly namespace: string; readonly labels: Readonly<Record<string, string>> }[];
}

/** The annotation that tells a pod the common start; the kubelet shows it to the worker as a file. */
export const startAnnotation = 'holdfast.dev/load-starts-at';
export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
export const containerName = 'load';
/** The label of all that holdfast makes for a load, and of one load. */
const componentLabels = { 'app.kubernetes.io/name': 'holdfast', 'app.kubernetes.io/component': 'load' };
export const loadLabels = (name: string) => ({ ...componentLabels, 'app.kubernetes.io/instance': name });
export const selectorOf = (name: string): string =>
  Object.entries(loadLabels(name))
    .map((pair) => pair.join('='))
    .join(',');

/** The programs of the workers are told the end by SIGTERM, and write their report. */
const graceSeconds = 30;
/** After the end of its time a worker has this long to write its report, and its pod to end. */
const reportSeconds = 60;
/** A Job that nobody deleted goes after an hour: a run that was killed and never recovered leaves nothing for good. */
const keptSeconds = 3600;
/** The user of the image (packaging/image/Containerfile). */
const user = 65_532;

/** From the common start until the last worker must have ended. */
export const endsWithinSeconds = ({ plan, workers }: Pick<LoadJob, 'plan' | 'workers'>): number =>
  longestSeconds({
    ...plan,
    requests: Math.ceil(plan.requests / workers),
    concurrency: Math.floor(plan.concurrency / workers),
    ...(plan.rate === undefined ? {} : { rate: { ...plan.rate, every: workers } }),
  }) + reportSeconds;

/**
 * The Indexed Job of a load: each pod is a worker by its index. A pod that fails before the common start is replaced;
 * one that replaces another later gets no start, and sends nothing.
 */
export function jobOf(name: string, job: LoadJob): Job {
  const { namespace, workers } = job;
  const labels = loadLabels(name);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace, labels },
    spec: {
      completionMode: 'Indexed',
      completions: workers,
      parallelism: workers,
      backoffLimit: workers,
      activeDeadlineSeconds: Math.ceil(job.startWithinSeconds + leadSeconds(workers) + endsWithinSeconds(job)),
      ttlSecondsAfterFinished: keptSeconds,
      template: { metadata: { labels, annotations: notToBeMoved }, spec: podSpec(name, job) },
    },
  };
}

const notToBeMoved = {
  'karpenter.sh/do-not-disrupt': 'true',
  'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
};

/**
 * From the moment when the common start is fixed until it comes. A hundred pods are told in a second, by 20 requests at
 * a time of 0.2 s; a kubelet shows the annotation to its worker about a second later, and has five
 * (docs/decisions/0045-load-by-an-indexed-job.md).
 */
export const leadSeconds = (workers: number): number => 5 + workers / 100;

function podSpec(name: string, job: LoadJob): Job['spec']['template']['spec'] {
  const { pod } = job;
  const { cpu, memory } = pod;
  return {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: graceSeconds,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(pod.priorityClass === undefined ? {} : { priorityClassName: pod.priorityClass }),
    ...(pod.nodeSelector === undefined ? {} : { nodeSelector: pod.nodeSelector }),
    tolerations: pod.tolerations,
    affinity: affinityOf(pod),
    topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: loadLabels(name) },
    })),
    containers: [
      {
        name: containerName,
        image: pod.image,
        imagePullPolicy: 'IfNotPresent',
        args: argumentsOf(job),
        resources: { requests: { cpu, memory }, limits: { cpu, memory } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: 'start', mountPath: startFolder, readOnly: true },
          { name: 'tmp', mountPath: '/tmp' },
        ],
      },
    ],
    volumes: [
      {
        name: 'start',
        downwardAPI: {
          items: [{ path: 'starts-at', fieldRef: { fieldPath: `metadata.annotations['${startAnnotation}']` } }],
        },
      },
      { name: 'tmp', emptyDir: {} },
    ],
  };
}

const startFolder = '/etc/holdfast-load';

/** The arguments of every pod; which worker it is it knows from JOB_COMPLETION_INDEX. */
function argumentsOf({ plan, workers }: LoadJob): readonly string[] {
  return [
    'load-worker',
    `--url=${plan.url}`,
    `--requests=${plan.requests}`,
    `--concurrency=${plan.concurrency}`,
    `--timeout=${1000 * plan.timeoutSeconds}ms`,
    ...(plan.rate === undefined ? [] : [`--rate=${plan.rate.perSecond}`]),
    `--workers=${workers}`,
    ...(plan.generator === undefined ? [] : [`--generator=${plan.generator}`]),
    `--starts-at=${startFolder}/starts-at`,
    '--report=/dev/termination-log',
  ];
}

/**
 * Required: no node that Karpenter launched, so that no node is started or kept for the load. Preferred only: not
 * beside the application and the ingress controller, because a required anti-affinity would keep their new pods away
 * from the workers' nodes.
 */
function affinityOf({ avoidsKarpenter, nodeSelector, avoided }: WorkerPod): Affinity {
  const terms = avoided.map(
    ({ namespace, labels }): WeightedPodAffinityTerm => ({
      weight: 100,
      podAffinityTerm: {
        topologyKey: 'kubernetes.io/hostname',
        namespaces: [namespace],
        labelSelector: { matchLabels: labels },
      },
    }),
  );
  const isElsewhere = avoidsKarpenter && nodeSelector === undefined;
  const outside = [{ matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' as const }] }];
  return {
    podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms },
    ...(isElsewhere
      ? { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: outside } } }
      : {}),
  };
}
