import type { NodePool } from '../../cluster/autoscaler.ts';
import type { Resource } from '../../cluster/kinds.ts';
import { type Manifest, manifestOf } from '../../cluster/manifest.ts';
import type { Deployment, Ingress, PodDisruptionBudget, Service } from '../../cluster/resources.ts';
import type { PodSpec, Requirement } from '../../cluster/specs.ts';
import { hasKarpenter, ingressName, isPoolOf, type Settings, serviceName } from '../settings.ts';

/** What phase 3 applies, in its order: the manifests of `-f`, or the specification's. */
export const appliedManifests = (settings: Settings): readonly Manifest[] =>
  settings.applied ?? manifests(settings).map(manifestOf);

/** Whether phase 3 applies the node pool of the application. */
export const appliesPool = (settings: Settings): boolean =>
  appliedManifests(settings).some(({ resource }) => isPoolOf(settings, resource));

/**
 * The objects of sections 2.1 to 2.3, in the order of phase 3; without Karpenter no NodePool. Empty for `manifests:
 * none`, because the application is there already.
 */
export function manifests(settings: Settings): readonly Resource[] {
  if (settings.manifests === 'none') return [];
  return [
    ...(hasKarpenter(settings) ? [nodePool(settings)] : []),
    deployment(settings),
    service(settings),
    ingress(settings),
    ...(settings.disruptionBudget === null ? [] : [disruptionBudget(settings, settings.disruptionBudget)]),
  ];
}

const isIn = (key: string, value: string): Requirement => ({ key, operator: 'In', values: [value] });

/** What the nodes of the pool must be. */
export const requirementsOf = ({ nodePool: { requirements } }: Pick<Settings, 'nodePool'>): readonly Requirement[] =>
  requirements ?? nodeRequirements;

/** 2.2, row by row. */
export const nodeRequirements: readonly Requirement[] = [
  isIn('kubernetes.io/arch', 'arm64'),
  isIn('kubernetes.io/os', 'linux'),
  isIn('karpenter.sh/capacity-type', 'on-demand'),
  isIn('karpenter.k8s.aws/instance-category', 'r'),
  { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['6'] },
];

/** 2.1 and 2.2. The autoscaler and kubectl set the hash, hash-version and last-applied annotations themselves. */
export function nodePool(settings: Pick<Settings, 'nodePool'>): NodePool {
  const { name, role, nodeClass } = settings.nodePool;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name, annotations: { 'kubernetes.io/description': 'General purpose NodePool for ARM workloads' } },
    spec: {
      template: {
        metadata: { labels: { role } },
        spec: {
          nodeClassRef: nodeClass,
          requirements: requirementsOf(settings),
          expireAfter: '720h',
        },
      },
      disruption: { budgets: [{ nodes: '10%' }], consolidateAfter: '1h', consolidationPolicy: 'WhenEmpty' },
    },
  };
}

function deployment(settings: Settings): Deployment {
  const labels = { app: settings.application };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: named(settings),
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: settings.manifests === 'hardened' ? hardenedPod(settings) : plainPod,
      },
    },
  };
}

/** 2.3 to the letter. */
const plainPod: PodSpec = { containers: [{ name: 'nginx', image: 'nginx', ports: [{ containerPort: 80 }] }] };

/**
 * 2.3 unchanged, plus what 4.2 requires for real zero downtime. The preStop sleep is twice what ingress-nginx needs to
 * learn of a change (docs/facts/ingress-nginx.md, "Learning of endpoints"); the grace period is the sleep and 30 s for
 * requests under way.
 */
function hardenedPod({ application, nodePool: { role } }: Settings): PodSpec {
  const [container] = plainPod.containers;
  return {
    containers: [
      {
        name: 'nginx',
        image: 'nginx',
        ...container,
        resources: { requests: { cpu: '250m', memory: '64Mi' }, limits: { memory: '256Mi' } },
        readinessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 1, timeoutSeconds: 1, failureThreshold: 3 },
        lifecycle: { preStop: { sleep: { seconds: 10 } } },
      },
    ],
    nodeSelector: { role },
    terminationGracePeriodSeconds: 40,
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        // Without it both replicas may be placed on the pool's first node, because there is no other yet.
        minDomains: 2,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: application } },
      },
    ],
  };
}

function service(settings: Settings): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...named(settings), name: serviceName(settings) },
    spec: { type: 'ClusterIP', selector: { app: settings.application }, ports: [{ port: 80, targetPort: 80 }] },
  };
}

function ingress(settings: Settings): Ingress {
  const host = new URL(settings.url).hostname;
  const backend = { service: { name: serviceName(settings), port: { number: 80 } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      ...named(settings),
      name: ingressName(settings),
      annotations: {
        'kubernetes.io/ingress.class': 'nginx',
        'external-dns.alpha.kubernetes.io/hostname': host,
      },
    },
    spec: { rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
  };
}

function disruptionBudget({ namespace, application }: Settings, name: string): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace },
    spec: { minAvailable: 1, selector: { matchLabels: { app: application } } },
  };
}

const named = ({ application, namespace }: Settings) => ({ name: application, namespace });
