import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { Delay, DelayName } from '../../../src/rehearsal/time/delays.ts';
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

/** Karpenter's provider kwok: a Node object 20 s after the launch, which is Ready 8 s later; no kubelet, and pods that are only said to run. */
const kwok: Scenario['delays'] = {
  instanceLaunch: [0.01, 0.1],
  instanceBoot: [0, 0],
  kubeletBoot: [19.5, 20.5],
  nodeReady: [7.5, 8.5],
  imagePull: [0.6, 2],
  instancePowerOff: [0, 0.01],
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

const budget =
  (nodes: string) =>
  async ({ cluster, sleep }: Place) => {
    const value = { spec: { disruption: { budgets: [{ nodes }] } } };
    await cluster.patch('NodePool', { name: poolName }, { type: 'merge', value });
    await sleep(3);
  };

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
    prepare: budget('2'),
    deed: drift(2),
  },
];
