import type { NodePool } from '../cluster/autoscaler.ts';
import type { Deployment, PodDisruptionBudget } from '../cluster/resources.ts';
import type { PodSpec } from '../cluster/specs.ts';
import { UsageError } from '../host/errors.ts';
import { nodeClass } from './controllers/node-class.ts';
import { nodesRestart } from './controllers/nodes-restart.ts';
import { scheduler } from './controllers/scheduler.ts';
import { instanceTypes } from './machines/instance-types.ts';
import type { Machines } from './machines/machines.ts';
import { healthy, type Setup, type Starting } from './setup/setup.ts';
import type { Controller } from './setup/site.ts';
import { type Surroundings, usualSurroundings } from './setup/surroundings.ts';
import type { Delay, DelayName } from './time/delays.ts';

/**
 * A named way for the embedded cluster to be broken: a change of the healthy cluster's setup. A duration, an object at the
 * start or a mutating webhook is changed here alone; a controller that behaves differently is written in its own file and
 * put in place here with `replacing` or `adding`.
 */
export interface Defect {
  /** One sentence: what is wrong, in the words of somebody who runs such a cluster. */
  readonly what: string;
  readonly change: (setup: Setup) => Setup;
}

/** Contract section 6. No other file of the product knows these names. */
export const defects: Readonly<Record<string, Defect>> = {
  'single-ingress-replica': {
    what: 'The ingress controller has one replica.',
    change: starting({ ingressReplicas: 1 }),
  },
  'replicas-on-one-node': {
    what: 'A webhook removes the spread of replicas, and the scheduler fills one node before it takes the next.',
    change: (setup) => packingScheduler(admitting(withoutSpread)(setup)),
  },
  'no-disruption-budget': {
    what: 'A webhook empties every disruption budget, and the replicas are not spread.',
    change: (setup) => packingScheduler(admitting((object) => withoutBudget(withoutSpread(object)))(setup)),
  },
  'no-readiness-probe': {
    what: 'A webhook removes readiness probes, and the application starts slowly.',
    change: (setup) => slower('applicationListens', 60, 75)(admitting(withoutProbe)(setup)),
  },
  'abrupt-termination': {
    what: 'A webhook removes preStop hooks, and the ingress controller takes half a minute to hear of an endpoint that left.',
    change: (setup) => slower('ingressApply', 35, 45)(admitting(withoutPreStop)(setup)),
  },
  'budget-ignored': {
    what: 'The autoscaler replaces two nodes at once, whatever the pool’s budgets say.',
    change: autoscaling({ keepsBudgets: false, nodesPerDrift: 2 }),
  },
  'mass-eviction': {
    what: 'The autoscaler empties all nodes of the pool at once, and deletes their pods without asking.',
    change: autoscaling({ keepsBudgets: false, nodesPerDrift: Number.POSITIVE_INFINITY, evicts: false }),
  },
  'surprise-expiry': {
    what: 'The autoscaler lets nodes live for six minutes, whatever the pool says.',
    change: autoscaling({ expireAfter: '6m' }),
  },
  'eager-consolidation': {
    what: 'The autoscaler takes a node with one pod for an empty one.',
    change: autoscaling({ emptyUpTo: 1 }),
  },
  'pool-restarts-nodes': {
    what: 'A new node pool makes the cluster replace a node that was there before.',
    change: adding(nodesRestart),
  },
  'wrong-architecture': {
    what: 'The autoscaler buys amd64 machines, whatever the pool requires.',
    change: autoscaling({
      catalogue: instanceTypes.filter(({ architecture }) => architecture === 'amd64'),
      heedsRequirements: false,
    }),
  },
  'ingress-cluster-ip': {
    what: 'The ingress controller’s Service is of type ClusterIP.',
    change: starting({ ingressType: 'ClusterIP' }),
  },
  'load-balancer-pending': {
    what: 'The cloud never makes the load balancer ready.',
    change: slower('loadBalancerProvision', 1e6, 1e6),
  },
  'dns-automation-down': { what: 'external-dns is scaled to nothing.', change: starting({ dnsAutomationReplicas: 0 }) },
  'autoscaler-down': { what: 'Karpenter is scaled to nothing.', change: starting({ autoscalerReplicas: 0 }) },
  'node-pool-not-ready': {
    what: 'The node class is not ready, and so is no pool that uses it.',
    change: (setup) => replacing(() => nodeClass({ isReady: false }))(starting({ more: [stalePool] })(setup)),
  },
  'server-errors-under-load': {
    what: 'The application answers 500 when more than a hundred requests are under way.',
    change: (setup) => ({ ...setup, application: { ...setup.application, failsFrom: 100 } }),
  },
  'pods-crash-under-load': {
    what: 'The application crashes when more than a hundred requests are under way.',
    change: (setup) => ({ ...setup, application: { ...setup.application, crashesFrom: 100 } }),
  },
  'long-dns-ttl': {
    what: 'The zone has Route 53’s own SOA: "no such name" is kept for 900 seconds.',
    change: (setup) => ({ ...setup, negativeTtlSeconds: 900 }),
  },
  'slow-boot': {
    what: 'Machines need three minutes more to join the cluster.',
    change: slower('kubeletBoot', 200, 220),
  },
  'prober-stalls': {
    what: 'The prober’s machine stands still for a quarter of a minute, every minute and a half.',
    change: (setup) => ({ ...setup, wire: { ...setup.wire, stallSeconds: 15, stallPeriodSeconds: 90 } }),
  },
  'api-lost-during-undo': {
    what: 'The API server cannot be reached any more, half a minute after the first write that disrupts.',
    change: (setup) => ({ ...setup, wire: { ...setup.wire, apiLostAfterSeconds: 30 } }),
  },
};

/** The healthy cluster with these defects; all unknown names at once in a `UsageError`. */
export function setupWith(names: readonly string[], surroundings: Surroundings = usualSurroundings): Setup {
  const mistakes = names
    .filter((name) => defects[name] === undefined)
    .map((name) => `${name} is no defect. There are: ${Object.keys(defects).join(', ')}`);
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return names.reduce((setup, name) => defects[name]?.change(setup) ?? setup, { ...healthy, surroundings });
}

function starting(over: Partial<Starting>): Defect['change'] {
  return (setup) => ({ ...setup, starting: { ...setup.starting, ...over } });
}

function autoscaling(over: Partial<Setup['autoscaler']>): Defect['change'] {
  return (setup) => ({ ...setup, autoscaler: { ...setup.autoscaler, ...over } });
}

function slower(name: DelayName, least: number, most: number): Defect['change'] {
  const delay: Delay = { seconds: [least, most], source: 'a defect' };
  return (setup) => ({ ...setup, delays: { ...setup.delays, [name]: delay } });
}

/** One controller more. */
function adding(make: (machines: Machines) => Controller): Defect['change'] {
  return (setup) => ({
    ...setup,
    controllers: (healthy, machines) => [...setup.controllers(healthy, machines), { controller: make(machines) }],
  });
}

/** A controller in the place of the one that has its name. */
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

/** The object as it came, or changed. */
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
  if (!isOf<PodDisruptionBudget>(object, 'PodDisruptionBudget')) return object;
  return { ...object, spec: { ...object.spec, minAvailable: 0 } };
};

function withPodSpec<T extends object>(object: T, change: (spec: PodSpec) => PodSpec): T {
  if (!isOf<Deployment>(object, 'Deployment') || object.spec?.template?.spec === undefined) return object;
  const template = { ...object.spec.template, spec: change(object.spec.template.spec) };
  return { ...object, spec: { ...object.spec, template } };
}

const isOf = <R extends { readonly kind: string }>(object: object, kind: R['kind']): object is R & typeof object =>
  'kind' in object && object.kind === kind;

/** A pool of somebody else, whose node class is not ready. */
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
