import type { Settings } from '../settings.ts';
import { karpenter, type Need, scaling } from './needs.ts';

/** Something that the API server has to allow, for what, and whether undoing needs it. */
export interface Permission {
  /** Empty for the core group. */
  readonly group: string;
  /** With its subresource, as RBAC writes it: `pods/eviction`. */
  readonly resource: string;
  readonly verb: string;
  /** Absent: in the whole cluster. */
  readonly namespace?: string;
  /** A scenario's name, or the phase that needs it. */
  readonly purpose: string;
  /** Without it something could not be put back: asked first (facts 5, item 7). */
  readonly undoes: boolean;
}

/** A scenario, as far as its permissions go. */
export interface Privileged {
  readonly name: string;
  /** What it needs of the API server besides scaling the application to its baseline. */
  readonly permissions: (settings: Settings) => readonly Need[];
  /** What it needs of the cloud, as IAM writes it. */
  readonly cloudPermissions?: readonly string[];
}

/** What a run is, as far as its permissions go. */
export interface PlannedRun {
  readonly settings: Settings;
  readonly scenarios: readonly Privileged[];
  readonly cleanup: boolean;
}

/** Pure. The least that a run needs (facts 3.1), undo permissions first; what several purposes need stands once. */
export function permissions(run: PlannedRun): readonly Permission[] {
  const { settings, scenarios, cleanup } = run;
  const all = [
    ...reading(settings),
    ...locking(settings),
    ...(settings.manifests === 'none' ? [] : applying(settings, cleanup)),
    ...scenarios.flatMap(({ name, permissions: needs }) =>
      [scaling(settings), ...needs(settings)].flatMap((need) => permitted(need, name)),
    ),
  ];
  const undoFirst = [...all.filter(({ undoes }) => undoes), ...all.filter(({ undoes }) => !undoes)];
  return undoFirst.filter((one, index) => undoFirst.findIndex((other) => keyOf(other) === keyOf(one)) === index);
}

/** Pure. What a run makes use of where it has it: `recover` knows the cluster again by the uid of its namespace kube-system. */
export const usefulPermissions: readonly Permission[] = [
  { group: '', resource: 'namespaces', verb: 'get', purpose: 'recover', undoes: false },
];

/** Pure. What the cloud has to allow besides (facts 3.1), as IAM writes it. */
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
  const { namespace, ingressController, autoscaler } = settings;
  const needs: readonly Need[] = [
    { group: '', resource: 'nodes', verbs: watching },
    // Who else lives on the nodes of the pool.
    { group: '', resource: 'pods', verbs: ['list'] },
    { group: karpenter, resource: 'nodepools', verbs: ['get', ...watching] },
    { group: karpenter, resource: 'nodeclaims', verbs: watching },
    { group: settings.nodePool.nodeClass.group, resource: 'ec2nodeclasses', verbs: ['get'] },
    { group: '', resource: 'pods', verbs: ['watch'], namespace },
    { group: 'apps', resource: 'deployments', verbs: ['get', ...watching], namespace },
    { group: 'discovery.k8s.io', resource: 'endpointslices', verbs: watching, namespace },
    { group: 'networking.k8s.io', resource: 'ingresses', verbs: ['get'], namespace },
    { group: '', resource: 'services', verbs: ['get'], namespace },
    { group: 'policy', resource: 'poddisruptionbudgets', verbs: ['get', ...watching], namespace },
    { group: 'autoscaling', resource: 'horizontalpodautoscalers', verbs: ['list'], namespace },
    { group: '', resource: 'services', verbs: ['get'], namespace: ingressController.namespace },
    { group: '', resource: 'pods', verbs: ['watch'], namespace: ingressController.namespace },
    { group: 'apps', resource: 'deployments', verbs: ['list'], namespace: ingressController.namespace },
    { group: 'coordination.k8s.io', resource: 'leases', verbs: ['get'], namespace: autoscaler.namespace },
  ];
  return needs.flatMap((need) => permitted(need, 'every run'));
}

/** The lease is found in every namespace, and held in the application's. */
function locking({ namespace }: Settings): readonly Permission[] {
  const group = 'coordination.k8s.io';
  return [
    ...permitted({ group, resource: 'leases', verbs: ['delete'], namespace, undoes: true }, 'the lock'),
    ...permitted({ group, resource: 'leases', verbs: ['get', 'create', 'patch'], namespace }, 'the lock'),
    ...permitted({ group, resource: 'leases', verbs: ['list'] }, 'the lock'),
  ];
}

/** Server-side apply of what is not there yet asks for `create` too. */
function applying({ namespace }: Settings, cleanup: boolean): readonly Permission[] {
  const kinds: readonly Omit<Need, 'verbs'>[] = [
    { group: karpenter, resource: 'nodepools' },
    { group: 'apps', resource: 'deployments', namespace },
    { group: '', resource: 'services', namespace },
    { group: 'networking.k8s.io', resource: 'ingresses', namespace },
    { group: 'policy', resource: 'poddisruptionbudgets', namespace },
  ];
  return kinds.flatMap((kind) => [
    ...(cleanup ? permitted({ ...kind, verbs: ['delete'], undoes: true }, 'cleanup') : []),
    ...permitted({ ...kind, verbs: ['create', 'patch'] }, 'applying'),
  ]);
}
