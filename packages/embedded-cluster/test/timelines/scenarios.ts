import type { Cluster } from '../../src/kubernetes/cluster.ts';
import type { Delay, DelayName } from '../../src/time/delays.ts';
import { type Before, poolName } from './application.ts';

/** What a recording shows, done again here. */
export interface Scenario {
  /** Of the recording's file. */
  readonly name: string;
  readonly title: string;
  readonly before: Before;
  /** What the recording shows the end of, just before the deed. */
  readonly prepare?: (place: Place) => Promise<void>;
  readonly deed: (place: Place) => Promise<void>;
  /** How long the pods are ready before the deed, and up to 10 s more; 45 by default, when nothing moves any more. */
  readonly restSeconds?: number;
  /** How quick the recording's machines were. */
  readonly delays: Partial<Record<DelayName, Delay['seconds']>>;
  /** Pods that are ready before the deed. */
  readonly replicas: number;
}

export interface Place {
  readonly cluster: Cluster;
  readonly sleep: (seconds: number) => Promise<void>;
}

/**
 * Karpenter's provider kwok: a Node object 20 s after the launch, which is Ready 8 s later; no kubelet, and pods that
 * are only said to run.
 */
const kwok: Scenario['delays'] = {
  instanceLaunch: [0.01, 0.1],
  instanceBoot: [0, 0],
  kubeletBoot: [19.5, 20.5],
  nodeReady: [7.5, 8.5],
  imagePull: [0.6, 2],
  nginxQuits: [1.3, 1.5],
  podCleanup: [0.01, 0.05],
  instancePowerOff: [0.1, 0.2],
  instanceTermination: [0, 0.01],
};

const pairOfNodes = { delays: kwok, replicas: 2 };
const claims = ({ cluster }: Place) => cluster.list('NodeClaim');

/** Makes so many claims drift: their hash annotation is another than the pool’s. */
const drift = (count: number) => async (place: Place) => {
  for (const { metadata } of (await claims(place)).slice(0, count))
    await place.cluster.patch(
      'NodeClaim',
      { name: metadata.name },
      { type: 'merge', value: { metadata: { annotations: { 'karpenter.sh/nodepool-hash': '0' } } } },
    );
};

const setBudget = async ({ cluster }: Place, nodes: string): Promise<void> => {
  const value = { spec: { disruption: { budgets: [{ nodes }] } } };
  await cluster.patch('NodePool', { name: poolName }, { type: 'merge', value });
};

const never = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: 'Never' };
const web = { name: 'web', namespace: 'default' };

const scale =
  (replicas: number) =>
  async ({ cluster }: Place) => {
    await cluster.patch('Deployment', web, { type: 'merge', value: { spec: { replicas } } });
  };

const removeClaim = async (place: Place): Promise<void> => {
  const [claim] = await claims(place);
  await place.cluster.delete('NodeClaim', { name: claim?.metadata.name ?? '' });
};

const removeNode = async (place: Place): Promise<void> => {
  const [claim] = await claims(place);
  await place.cluster.delete('Node', { name: claim?.status?.nodeName ?? '' });
};

const keepPods = async ({ cluster }: Place, minAvailable: number): Promise<void> => {
  await cluster.patch('PodDisruptionBudget', web, { type: 'merge', value: { spec: { minAvailable } } });
};

async function annotateOnePod({ cluster }: Place, value: 'true' | null): Promise<void> {
  const [pod] = await cluster.list('Pod', { namespace: web.namespace, labelSelector: 'app=web' });
  const annotations = { 'karpenter.sh/do-not-disrupt': value };
  const at = { namespace: web.namespace, name: pod?.metadata.name ?? '' };
  await cluster.patch('Pod', at, { type: 'merge', value: { metadata: { annotations } } });
}

/** Until the first claim is deleted. */
async function untilDeleted(place: Place): Promise<void> {
  while (!(await claims(place)).some(({ metadata }) => metadata.deletionTimestamp !== undefined))
    await place.sleep(0.01);
}

export const scenarios: readonly Scenario[] = [
  { ...pairOfNodes, name: 'drift-one', title: 'one of two nodes drifts', before: { replicas: 2 }, deed: drift(1) },
  {
    ...pairOfNodes,
    name: 'drift-two-budget-1',
    title: 'two nodes drift with a budget of 1',
    before: { replicas: 2 },
    restSeconds: 120,
    deed: drift(2),
  },
  {
    ...pairOfNodes,
    name: 'drift-two-budget-2',
    title: 'two nodes drift with a budget of 2',
    before: { replicas: 2 },
    restSeconds: 15,
    prepare: async (place) => {
      await setBudget(place, '2');
      await place.sleep(3);
    },
    deed: drift(2),
  },
  {
    ...pairOfNodes,
    name: 'drift-blocked-budget-0',
    title: 'one of two nodes drifts while the budget is 0, which is 1 again after 40 s',
    before: { replicas: 2 },
    restSeconds: 5,
    prepare: async (place) => {
      await setBudget(place, '0');
      await place.sleep(3);
    },
    deed: async (place) => {
      await drift(1)(place);
      await place.sleep(40.2);
      await setBudget(place, '1');
    },
  },
  {
    ...pairOfNodes,
    name: 'pdb-blocks',
    title: 'a claim is deleted whose pod a PodDisruptionBudget keeps for 46 s',
    before: { replicas: 2 },
    restSeconds: 15,
    prepare: async (place) => {
      await keepPods(place, 2);
      await place.sleep(1);
    },
    deed: async (place) => {
      await removeClaim(place);
      await place.sleep(45.4);
      await keepPods(place, 1);
    },
  },
  {
    ...pairOfNodes,
    name: 'do-not-disrupt',
    title: 'a node drifts of whose two pods one has karpenter.sh/do-not-disrupt, which is taken away after 40 s',
    before: { replicas: 1, budget: { minAvailable: 0 } },
    replicas: 1,
    restSeconds: 120,
    prepare: async (place) => {
      await keepPods(place, 1);
      await scale(2)(place);
      await place.sleep(12);
      await annotateOnePod(place, 'true');
      await place.sleep(0.7);
    },
    deed: async (place) => {
      await drift(1)(place);
      await place.sleep(40.2);
      await annotateOnePod(place, null);
    },
  },
  {
    ...pairOfNodes,
    name: 'node-delete',
    title: 'a Node is deleted by hand',
    before: { replicas: 2 },
    restSeconds: 0,
    deed: removeNode,
  },
  {
    ...pairOfNodes,
    name: 'scale-down',
    title: 'a Deployment of 2 is scaled to 1, and its other node becomes empty',
    before: { replicas: 2 },
    restSeconds: 0,
    prepare: async (place) => {
      await scale(1)(place);
      await place.sleep(2.5);
    },
    deed: async () => undefined,
  },
  {
    ...pairOfNodes,
    name: 'tgp',
    title: 'a claim with a terminationGracePeriod of 45 s is deleted, whose pod a PodDisruptionBudget keeps',
    before: { replicas: 2, template: { terminationGracePeriod: '45s' }, disruption: never },
    restSeconds: 120,
    prepare: async (place) => {
      await keepPods(place, 2);
      await place.sleep(1);
    },
    deed: removeClaim,
  },
  {
    ...pairOfNodes,
    name: 'expiry2',
    title: 'two claims of one second expire; the budget of the pool is 0, that of the pods 1',
    before: { replicas: 2, template: { expireAfter: '150s' }, disruption: { ...never, budgets: [{ nodes: '0' }] } },
    restSeconds: 0,
    prepare: untilDeleted,
    deed: async () => undefined,
  },
  {
    ...pairOfNodes,
    name: 'scale-up',
    title: 'a Deployment of two is made, with a node for each pod',
    before: { replicas: 0 },
    replicas: 0,
    restSeconds: 5,
    deed: scale(2),
  },
];
