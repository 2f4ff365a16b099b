import type { Pod } from '../../cluster/resources.ts';
import type { Container, NodeSelectorTerm, PodSpec, Requirement } from '../../cluster/specs.ts';
import type { Resolved } from '../../host/probe/target.ts';
import { formatDuration } from '../../settings/duration.ts';
import { labelsOf } from '../../settings/pod-selector.ts';
import { applicationsOf } from '../applications.ts';
import { hasKarpenter, probeNamespaceOf, probesOf, type Settings } from '../settings.ts';

/** Where a probe pod is put, and by whom. */
export interface ProbePlace {
  readonly zone: string;
  /** The nodes that hold pods of the applications. */
  readonly avoids: readonly string[];
  /** Unlike that of any other run. */
  readonly run: string;
  /** Between its faster probes; without it there are none. */
  readonly edgesSeconds?: number | undefined;
}

/** A pod whose run died without `recover` ends by itself: no validation takes a day. */
const atMostSeconds = 86_400;

/**
 * The pod that probes the application from one zone. It stays off the nodes that the run disturbs. That is asked of
 * nodes and not as an anti-affinity to the application's pods, because a required one would bind those pods too: none
 * could be scheduled to the node of a probe (Kubernetes, "Inter-pod affinity and anti-affinity").
 */
export function probePod(settings: Settings, place: ProbePlace): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: nameOf(place),
      namespace: probeNamespaceOf(settings),
      labels: {
        'app.kubernetes.io/name': 'holdfast',
        'app.kubernetes.io/component': 'probe',
        'app.kubernetes.io/managed-by': 'holdfast',
      },
      // A probe that is moved is blind meanwhile.
      annotations: { 'karpenter.sh/do-not-disrupt': 'true', 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' },
    },
    spec: {
      restartPolicy: 'Always',
      activeDeadlineSeconds: atMostSeconds,
      terminationGracePeriodSeconds: 5,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...placing(settings, place),
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65_532,
        runAsGroup: 65_532,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [containerOf(settings, place)],
    },
  };
}

function placing(settings: Settings, place: ProbePlace): Omit<PodSpec, 'containers'> {
  const { pullSecrets, tolerations, priorityClass, nodeSelector } = probesOf(settings);
  return {
    ...(nodeSelector === undefined ? {} : { nodeSelector: labelsOf(nodeSelector) ?? {} }),
    ...(priorityClass === undefined ? {} : { priorityClassName: priorityClass }),
    ...(pullSecrets.length === 0 ? {} : { imagePullSecrets: pullSecrets.map((name) => ({ name })) }),
    tolerations,
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: nodeTerms(settings, place) },
        // Karpenter may take away nodes of any pool of its own.
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            preference: { matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }] },
          },
        ],
      },
    },
  };
}

function containerOf(settings: Settings, place: ProbePlace): Container {
  return {
    name: 'probe',
    image: probesOf(settings).image,
    args: monitorWords(settings, place),
    resources: { requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '256Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
  };
}

/** A name of DNS (RFC 1123): the end of the run's id tells it from those of other runs. */
const nameOf = ({ zone, run }: ProbePlace): string =>
  `holdfast-probe-${zone}-${run.slice(-8)}`.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-');

/** A term for each way of being outside of the pool: they are joined by "or". */
function nodeTerms(settings: Settings, { zone, avoids }: ProbePlace): readonly NodeSelectorTerm[] {
  const here: readonly Requirement[] = [
    { key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] },
    ...(avoids.length === 0 ? [] : [{ key: 'kubernetes.io/hostname', operator: 'NotIn', values: avoids } as const]),
  ];
  return outsideOf(settings).map((pools) => ({ matchExpressions: [...here, ...pools] }));
}

/** The ways of being outside of every pool of the run. */
function outsideOf(settings: Settings): readonly (readonly Requirement[])[] {
  const all = applicationsOf(settings);
  if (hasKarpenter(settings)) {
    const values = [...new Set(all.map(({ nodePool }) => nodePool.name))];
    return [[{ key: 'karpenter.sh/nodepool', operator: 'NotIn', values }]];
  }
  return all.reduce<readonly (readonly Requirement[])[]>(
    (ways, { nodePool: { role, selector } }) =>
      Object.entries(labelsOf(selector ?? `role=${role}`) ?? {}).flatMap(([key, value]) =>
        ways.map((way) => [...way, { key, operator: 'NotIn' as const, values: [value] }]),
      ),
    [[]],
  );
}

/** The command line of the monitor there: what this machine's monitor does, except for what may be secret. */
function monitorWords(settings: Settings, { edgesSeconds }: ProbePlace): readonly string[] {
  const [{ url, monitor }, ...further] = applicationsOf(settings);
  const { interval, timeout, slow, expect, body, request, resolve = [], bodyContains, maxRedirs } = monitor;
  const { insecure, ipv4, ipv6, location } = monitor;
  const on = (flag: string, given: boolean | undefined): readonly string[] => (given === true ? [flag] : []);
  return [
    'monitor',
    '--quiet',
    '--log=-',
    `--interval=${formatDuration(interval)}`,
    `--timeout=${formatDuration(timeout)}`,
    `--slow=${formatDuration(slow)}`,
    `--expect=${expect}`,
    ...(edgesSeconds === undefined ? [] : [`--edges=${formatDuration(edgesSeconds)}`]),
    ...(body === null ? [] : [`--body=${body}`]),
    ...(bodyContains === undefined ? [] : [`--body-contains=${bodyContains}`]),
    ...(request === undefined ? [] : [`--request=${request}`]),
    ...resolve.map((one) => `--resolve=${resolvedText(one)}`),
    ...on('--insecure', insecure),
    ...on('--ipv4', ipv4),
    ...on('--ipv6', ipv6),
    ...on('--location', location),
    ...(maxRedirs === undefined ? [] : [`--max-redirs=${maxRedirs}`]),
    ...further.map((one) => `--target=${one.url}`),
    url,
  ];
}

const resolvedText = ({ host, port, addresses }: Resolved): string =>
  [bracketed(host), port, addresses.map(bracketed).join(',')].join(':');

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
