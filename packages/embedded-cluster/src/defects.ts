import { nodeClass } from './controllers/node-class.ts';
import { nodesRestart } from './controllers/nodes-restart.ts';
import { scheduler } from './controllers/scheduler.ts';
import type { NodePool } from './kubernetes/autoscaler.ts';
import type { DaemonSet, Deployment, PodDisruptionBudget } from './kubernetes/resources.ts';
import type { PodSpec } from './kubernetes/specs.ts';
import type { StatefulSet } from './kubernetes/stateful-set.ts';
import { instanceTypes } from './machines/instance-types.ts';
import type { Machines } from './machines/machines.ts';
import type { OwnBehaviours } from './machines/own-behaviours.ts';
import { withOwnApplication } from './setup/own-application.ts';
import { healthy, type Setup, type Starting } from './setup/setup.ts';
import type { Controller } from './setup/site.ts';
import { type Surroundings, usualSurroundings } from './setup/surroundings.ts';
import type { Delay, DelayName } from './time/delays.ts';
import { withNodeReady } from './time/node-ready.ts';

/**
 * A named way for the embedded cluster to be broken: a change of the healthy cluster's setup. A duration, an object at
 * the start or a mutating webhook is changed here alone; a controller that behaves differently is written in its own
 * file and put in place here with `replacing` or `adding`.
 */
export interface Defect {
  /** One sentence for the terminal: what is wrong, as an operator of such a cluster would say it. */
  readonly what: string;
  readonly change: (setup: Setup) => Setup;
}

/** By name. */
export const defects: Readonly<Record<string, Defect>> = {
  'single-ingress-replica': {
    what: 'The ingress controller has one replica.',
    change: starting({ ingressReplicas: 1 }),
  },
  'replicas-on-one-node': {
    what: 'A webhook removes the topology spread of replicas, and the scheduler fills one node before it uses the next.',
    change: (setup) => packingScheduler(admitting(withoutSpread)(setup)),
  },
  'no-disruption-budget': {
    what: 'A webhook sets minAvailable of every PodDisruptionBudget to 0, and the replicas are not spread.',
    change: (setup) => packingScheduler(admitting((object) => withoutBudget(withoutSpread(object)))(setup)),
  },
  'no-readiness-probe': {
    what: 'A webhook removes readiness probes, and the application needs a minute to start.',
    change: (setup) => delayed('applicationListens', 60, 75)(admitting(withoutProbe)(setup)),
  },
  'abrupt-termination': {
    what: 'A webhook removes preStop hooks, and the ingress controller still uses an endpoint 35 seconds after its removal.',
    change: (setup) => delayed('ingressApply', 35, 45)(admitting(withoutPreStop)(setup)),
  },
  'budget-ignored': {
    what: 'The autoscaler ignores the disruption budgets of the pool and replaces two nodes at once.',
    change: autoscaling({ respectsBudgets: false, nodesPerDriftedNode: 2 }),
  },
  'mass-eviction': {
    what: 'The autoscaler drains all nodes of the pool at once, and deletes their pods instead of evicting them.',
    change: autoscaling({ respectsBudgets: false, nodesPerDriftedNode: Number.POSITIVE_INFINITY, evicts: false }),
  },
  'surprise-expiry': {
    what: 'The autoscaler expires nodes after six minutes, although the pool says otherwise.',
    change: autoscaling({ expireAfter: '6m' }),
  },
  'eager-consolidation': {
    what: 'The autoscaler treats a node with one pod as empty.',
    change: autoscaling({ maximumPodsOfEmptyNode: 1 }),
  },
  'pool-restarts-nodes': {
    what: 'The cluster replaces an existing node when a NodePool is created.',
    change: adding(nodesRestart),
  },
  'wrong-architecture': {
    what: 'The autoscaler launches amd64 instances, although the pool requires arm64.',
    change: autoscaling({
      catalogue: instanceTypes.filter(({ architecture }) => architecture === 'amd64'),
      respectsRequirements: false,
    }),
  },
  'ingress-official-manifest': {
    what: 'The ingress controller is installed by its own manifest for AWS: externalTrafficPolicy Local, no --shutdown-grace-period.',
    change: (setup) => ({ ...setup, surroundings: { ...setup.surroundings, ingress: 'official' } }),
  },
  'ingress-cluster-ip': {
    what: 'The ingress controller’s Service is of type ClusterIP.',
    change: starting({ ingressType: 'ClusterIP' }),
  },
  'load-balancer-pending': {
    what: 'The cloud never finishes creating the load balancer.',
    change: delayed('loadBalancerProvision', 1e6, 1e6),
  },
  'dns-automation-down': {
    what: 'external-dns is scaled to 0 replicas.',
    change: starting({ dnsAutomationReplicas: 0 }),
  },
  'autoscaler-down': { what: 'Karpenter is scaled to 0 replicas.', change: starting({ autoscalerReplicas: 0 }) },
  'node-pool-not-ready': {
    what: 'The node class is not ready, so no pool that uses it is ready.',
    change: (setup) => replacing(() => nodeClass({ isReady: false }))(starting({ more: [stalePool] })(setup)),
  },
  'server-errors-under-load': {
    what: 'The application answers 500 to a request that arrives while its pod has 100 others in progress.',
    change: (setup) => ({ ...setup, application: { ...setup.application, failsFrom: 100 } }),
  },
  'pods-crash-under-load': {
    what: 'The application crashes when a request arrives while its pod has 100 others in progress.',
    change: (setup) => ({ ...setup, application: { ...setup.application, crashesFrom: 100 } }),
  },
  'long-dns-ttl': {
    what: 'The zone has the SOA record that Route 53 creates: resolvers cache "no such name" for 900 seconds.',
    change: (setup) => ({ ...setup, negativeTtlSeconds: 900 }),
  },
  'slow-boot': {
    what: 'Instances need three minutes longer to join the cluster.',
    change: delayed('kubeletBoot', 200, 220),
  },
};

/**
 * The healthy setup, with somebody's own application if one is given, and these defects. An unknown name is a
 * `RangeError`.
 */
export function setupWith(
  names: readonly string[],
  surroundings: Surroundings = usualSurroundings,
  own?: OwnBehaviours,
): Setup {
  for (const name of names)
    if (defects[name] === undefined)
      throw new RangeError(`there is no defect ${name}; the defects are: ${Object.keys(defects).join(', ')}`);
  const setup = own === undefined ? healthy : withOwnApplication(healthy, own);
  return names.reduce((changed, name) => defects[name]?.change(changed) ?? changed, {
    ...setup,
    delays: withNodeReady(setup.delays, surroundings.nodeReadySeconds),
    surroundings,
  });
}

function starting(changed: Partial<Starting>): Defect['change'] {
  return (setup) => ({ ...setup, starting: { ...setup.starting, ...changed } });
}

function autoscaling(changed: Partial<Setup['autoscaler']>): Defect['change'] {
  return (setup) => ({ ...setup, autoscaler: { ...setup.autoscaler, ...changed } });
}

/** Replaces a delay; seconds. */
function delayed(name: DelayName, minimum: number, maximum: number): Defect['change'] {
  const delay: Delay = { seconds: [minimum, maximum], source: 'a defect' };
  return (setup) => ({ ...setup, delays: { ...setup.delays, [name]: delay } });
}

/** Adds a controller. */
function adding(make: (machines: Machines) => Controller): Defect['change'] {
  return (setup) => ({
    ...setup,
    controllers: (healthy, machines) => [...setup.controllers(healthy, machines), { controller: make(machines) }],
  });
}

/** Replaces the controller of the same name. */
function replacing(make: (machines: Machines) => Controller): Defect['change'] {
  return (setup) => ({
    ...setup,
    controllers: (healthy, machines) => {
      const controller = make(machines);
      const all = setup.controllers(healthy, machines);
      const index = all.findIndex((one) => one.controller.name === controller.name);
      if (index === -1) throw new Error(`no controller ${controller.name} to replace`);
      return all.with(index, { ...all[index], controller });
    },
  });
}

const packingScheduler = replacing(() => scheduler({ packs: true }));

/** A mutating admission webhook: returns the object, changed or not. */
type Webhook = <T extends object>(object: T) => T;

function admitting(webhook: Webhook): Defect['change'] {
  return (setup) => ({ ...setup, admit: (object) => webhook(setup.admit(object)) });
}

const withoutSpread: Webhook = (object) =>
  withPodSpec(object, ({ topologySpreadConstraints: _, affinity: __, ...spec }) => spec);

const withoutProbe: Webhook = (object) =>
  withPodSpec(object, (spec) => ({
    ...spec,
    containers: spec.containers.map(({ readinessProbe: _, ...rest }) => rest),
  }));

const withoutPreStop: Webhook = (object) =>
  withPodSpec(object, (spec) => ({ ...spec, containers: spec.containers.map(({ lifecycle: _, ...rest }) => rest) }));

const withoutBudget: Webhook = (object) => {
  if (!hasKind<PodDisruptionBudget>(object, 'PodDisruptionBudget')) return object;
  return { ...object, spec: { ...object.spec, minAvailable: 0 } };
};

function withPodSpec<T extends object>(object: T, change: (spec: PodSpec) => PodSpec): T {
  if (!isWorkload(object) || object.spec?.template?.spec === undefined) return object;
  const template = { ...object.spec.template, spec: change(object.spec.template.spec) };
  return { ...object, spec: { ...object.spec, template } };
}

type Workload = Deployment | StatefulSet | DaemonSet;

const isWorkload = (object: object): object is Workload =>
  ['Deployment', 'StatefulSet', 'DaemonSet'].some((kind) => hasKind<Workload>(object, kind as Workload['kind']));

const hasKind = <R extends { readonly kind: string }>(object: object, kind: R['kind']): object is R & typeof object =>
  'kind' in object && object.kind === kind;

/** A pool of another team. */
const stalePool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general-purpose' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }],
      },
    },
  },
};
