import { kindPlaces } from '../../cluster/kinds.ts';
import { applicationsOf } from '../applications.ts';
import { appliedManifests } from '../manifests/manifests.ts';
import { hasKarpenter, hasReplicas, leaseNamespaceOf, probeNamespaceOf, type Settings, wayInOf } from '../settings.ts';
import { karpenter, type Need, scaling } from './needs.ts';

/** A verb on a resource that the API server has to allow. */
export interface Permission {
  /** Empty for the core group. */
  readonly group: string;
  /** With its subresource, as RBAC writes it: `pods/eviction`. */
  readonly resource: string;
  readonly verb: string;
  /** Absent for the whole cluster. */
  readonly namespace?: string;
  /** The name of the scenario, or the phase, that needs it. */
  readonly purpose: string;
  /** Whether an undo needs it. Such permissions are asked for first. */
  readonly undoes: boolean;
}

/** What permissions need of a scenario. */
export interface Privileged {
  readonly name: string;
  /** What it needs of the API server besides scaling the application to its baseline. */
  readonly permissions: (settings: Settings) => readonly Need[];
  /** What it needs of the cloud, as IAM writes it. */
  readonly cloudPermissions?: readonly string[];
}

/** What permissions need of a run. */
export interface PlannedRun {
  readonly settings: Settings;
  readonly scenarios: readonly Privileged[];
  readonly cleanup: boolean;
}

/**
 * The least permissions that a run needs for its applications (docs/facts/kubernetes.md, "Permissions"), each once,
 * those of an undo first.
 */
export function permissions(run: PlannedRun): readonly Permission[] {
  const all = applicationsOf(run.settings).flatMap((settings) => ofApplication({ ...run, settings }, run.settings));
  const undoFirst = [...all.filter(({ undoes }) => undoes), ...all.filter(({ undoes }) => !undoes)];
  return undoFirst.filter((one, index) => undoFirst.findIndex((other) => keyOf(other) === keyOf(one)) === index);
}

/** The lock and the probe pods are those of the run. */
function ofApplication({ settings, scenarios, cleanup }: PlannedRun, ofRun: Settings): readonly Permission[] {
  return [
    ...reading(settings),
    ...locking(ofRun),
    ...applying(settings, cleanup),
    ...probing(ofRun),
    ...scenarios.flatMap(({ name, permissions: needs }) =>
      [...(hasReplicas(settings) ? [scaling(settings)] : []), ...needs(settings)].flatMap((need) =>
        permitted(need, name),
      ),
    ),
  ];
}

/**
 * Permissions that a run uses if it has them: `recover` recognizes the cluster by the uid of its namespace kube-system.
 */
export const usefulPermissions: readonly Permission[] = [
  { group: '', resource: 'namespaces', verb: 'get', purpose: 'recover', undoes: false },
];

/** The IAM actions that the cloud has to allow (docs/facts/aws.md, "Permissions"). */
export function cloudPermissions(scenarios: readonly Pick<Privileged, 'cloudPermissions'>[]): readonly string[] {
  return scenarios.flatMap((scenario) => scenario.cloudPermissions ?? []);
}

const keyOf = ({ group, resource, verb, namespace }: Permission): string =>
  [group, resource, verb, namespace ?? ''].join(' ');

function permitted({ verbs, undoes = false, ...rest }: Need, purpose: string): readonly Permission[] {
  return verbs.map((verb) => ({ ...rest, verb, purpose, undoes }));
}

const watching = ['list', 'watch'];

function reading(settings: Settings): readonly Permission[] {
  const { namespace, ingressController, applicationKind } = settings;
  const needs: readonly Need[] = [
    { group: '', resource: 'nodes', verbs: watching },
    // To find out who else runs on the nodes of the pool.
    { group: '', resource: 'pods', verbs: ['list'] },
    ...(hasKarpenter(settings) ? readingKarpenter(settings) : []),
    { group: '', resource: 'pods', verbs: ['watch'], namespace },
    { group: 'apps', resource: kindPlaces[applicationKind].plural, verbs: ['get', ...watching], namespace },
    { group: 'discovery.k8s.io', resource: 'endpointslices', verbs: watching, namespace },
    ...readingWayIn(settings),
    { group: '', resource: 'services', verbs: ['get'], namespace },
    { group: 'policy', resource: 'poddisruptionbudgets', verbs: ['get', ...watching], namespace },
    { group: 'autoscaling', resource: 'horizontalpodautoscalers', verbs: ['list'], namespace },
    { group: '', resource: 'services', verbs: ['get'], namespace: ingressController.namespace },
    { group: '', resource: 'pods', verbs: ['watch'], namespace: ingressController.namespace },
    { group: 'apps', resource: 'deployments', verbs: ['list'], namespace: ingressController.namespace },
  ];
  return needs.flatMap((need) => permitted(need, 'every run'));
}

function readingWayIn(settings: Settings): readonly Need[] {
  const { namespace } = settings;
  const kind = wayInOf(settings)?.kind;
  if (kind === undefined) return [];
  if (kind === 'Ingress') return [{ group: 'networking.k8s.io', resource: 'ingresses', verbs: ['get'], namespace }];
  const group = 'gateway.networking.k8s.io';
  return [
    { group, resource: 'httproutes', verbs: ['get'], namespace },
    // A route names the Gateways of any namespace.
    { group, resource: 'gateways', verbs: ['get'] },
  ];
}

const readingKarpenter = ({ autoscaler: { namespace }, nodePool: { nodeClass } }: Settings): readonly Need[] => [
  { group: karpenter, resource: 'nodepools', verbs: ['get', ...watching] },
  { group: karpenter, resource: 'nodeclaims', verbs: watching },
  { group: nodeClass.group, resource: 'ec2nodeclasses', verbs: ['get'] },
  { group: 'coordination.k8s.io', resource: 'leases', verbs: ['get'], namespace },
];

/** Leases of other runs are searched in every namespace; the own one is in the application's. */
function locking(settings: Settings): readonly Permission[] {
  const namespace = leaseNamespaceOf(settings);
  const group = 'coordination.k8s.io';
  return [
    ...permitted({ group, resource: 'leases', verbs: ['delete'], namespace, undoes: true }, 'the lock'),
    ...permitted({ group, resource: 'leases', verbs: ['get', 'create', 'patch'], namespace }, 'the lock'),
    ...permitted({ group, resource: 'leases', verbs: ['list'] }, 'the lock'),
  ];
}

/** Of the probe pods, where they are asked for. */
function probing(settings: Settings): readonly Permission[] {
  if (settings.vantage === undefined) return [];
  const namespace = probeNamespaceOf(settings);
  return [
    { group: '', resource: 'pods', verbs: ['get', 'delete'], namespace, undoes: true },
    { group: '', resource: 'pods', verbs: ['create'], namespace },
    { group: '', resource: 'pods/log', verbs: ['get'], namespace },
  ].flatMap((need) => permitted(need, 'the probe pods'));
}

/** Server-side apply of a new object needs `create` too. */
function applying(settings: Settings, cleanup: boolean): readonly Permission[] {
  return appliedManifests(settings).flatMap(({ resource: { metadata }, place: { apiVersion, plural } }) => {
    const { namespace } = metadata;
    const group = apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '';
    const kind = { group, resource: plural, ...(namespace === undefined ? {} : { namespace }) };
    return [
      ...(cleanup ? permitted({ ...kind, verbs: ['delete'], undoes: true }, 'cleanup') : []),
      // The own manifests of -f are of kinds that nothing else reads.
      ...permitted(
        { ...kind, verbs: settings.applied === undefined ? ['create', 'patch'] : ['get', 'create', 'patch'] },
        'applying',
      ),
    ];
  });
}
