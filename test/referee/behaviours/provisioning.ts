import type { Behaviour } from './behaviour.ts';
import { app, budget, pool } from './objects.ts';
import { isReadyPod, type Stage } from './stage.ts';

const allReady = (stage: Stage, count: number) => () =>
  stage.readyPods().length === count && stage.pods().every(isReadyPod);
const scale = (stage: Stage, replicas: number, name = 'app') => stage.patch('Deployment', name, { spec: { replicas } });
const names = (objects: readonly { metadata: { name: string } }[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name);
const taint = (key: string, effect: string) => ({ key, value: 'yes', effect });

/** Machines that come for pods, and pods that leave machines by other hands than Karpenter's. */
export const provisioning: readonly Behaviour[] = [
  {
    name: 'limit',
    deed: 'a pool with a limit of 2 processors has one node; a second pod needs another; after 20 s the limit is raised',
    before: (of) => [
      pool(of, { spec: { limits: { cpu: '2' } } }),
      ...app(of, { replicas: 1, pool: of.pool, cpu: '1200m' }),
    ],
    wanted: 1,
    play: async (stage) => {
      await scale(stage, 2);
      await stage.until('a second claim', () => stage.claims().length === 2, 20);
      await stage.patch('NodePool', stage.pool, { spec: { limits: { cpu: '8' } } });
      await stage.until('a second claim after that', () => stage.claims().length === 2, 40);
      await stage.until('ready', allReady(stage, 2), 60);
    },
  },
  {
    name: 'too-large',
    deed: 'a pod asks for more than any machine has, and then for less',
    before: (of) => [pool(of), ...app(of, { replicas: 0, pool: of.pool, cpu: '64' })],
    wanted: 0,
    play: async (stage) => {
      await scale(stage, 1);
      await stage.until('a claim', () => stage.claims().length > 0, 15);
      await stage.patch('Deployment', 'app', {
        spec: {
          template: {
            spec: { containers: [{ name: 'nginx', image: 'nginx', resources: { requests: { cpu: '50m' } } }] },
          },
        },
      });
      await stage.until('a claim after that', () => stage.claims().length > 0, 30);
      await stage.until('ready', allReady(stage, 1), 60);
    },
  },
  {
    name: 'two-pools',
    deed: 'two pools fit, one with weight 10: which one brings the node',
    before: (of) => [
      pool(of, { labels: { role: 'both' } }),
      pool(of, { name: `${of.pool}-w`, labels: { role: 'both' }, spec: { weight: 10 } }),
      ...app(of, { replicas: 0, pod: { nodeSelector: { role: 'both' }, tolerations: [] } }),
    ],
    wanted: 0,
    play: async (stage) => {
      await scale(stage, 1);
      await stage.until('ready', allReady(stage, 1), 60);
      stage.note('count of nodes of the heavier pool', stage.nodes(`${stage.pool}-w`).length);
      stage.note('count of nodes of the other', stage.nodes().length);
    },
  },
  {
    name: 'pool-taint',
    deed: 'the pool has a taint that the pod does not tolerate; after 10 s it does',
    before: (of) => [
      pool(of, { template: { taints: [taint('own', 'NoSchedule')] } }),
      ...app(of, { replicas: 0, pool: of.pool }),
    ],
    wanted: 0,
    play: async (stage) => {
      await scale(stage, 1);
      await stage.until('a claim', () => stage.claims().length > 0, 10);
      await stage.patch('Deployment', 'app', {
        spec: { template: { spec: { tolerations: [{ key: 'own', operator: 'Exists' }] } } },
      });
      await stage.until('ready', allReady(stage, 1), 60);
    },
  },
  {
    name: 'startup-taint',
    deed: 'the pool has a startup taint, which somebody takes away 10 s after the node is there',
    before: (of) => [
      pool(of, { template: { startupTaints: [taint('starting', 'NoSchedule')] } }),
      ...app(of, { replicas: 0, pool: of.pool }),
    ],
    wanted: 0,
    play: async (stage) => {
      await scale(stage, 1);
      await stage.until(
        'a node',
        () =>
          stage
            .nodes()
            .some((node) =>
              node.status.conditions?.some(
                (one: { type: string; status: string }) => one.type === 'Ready' && one.status === 'True',
              ),
            ),
        60,
      );
      await stage.sleep(10);
      stage.note('count of claims meanwhile', stage.claims().length);
      stage.note('count of ready pods meanwhile', stage.readyPods().length);
      const [node] = stage.nodes();
      const left = node.spec.taints.filter(({ key }: { key: string }) => key !== 'starting');
      await stage.patch('Node', node.metadata.name, { spec: { taints: left } });
      await stage.until('ready', allReady(stage, 1), 30);
      await stage.until(
        'initialized',
        () =>
          stage
            .claims()
            .every(({ status }) =>
              status.conditions.some(
                (one: { type: string; status: string }) => one.type === 'Initialized' && one.status === 'True',
              ),
            ),
        30,
      );
    },
  },
  {
    name: 'burst',
    deed: 'six pods of 600 millicores at once: how many machines',
    before: (of) => [pool(of), ...app(of, { replicas: 0, pool: of.pool, cpu: '600m' })],
    wanted: 0,
    play: async (stage) => {
      await scale(stage, 6);
      await stage.until('ready', allReady(stage, 6), 90);
      stage.note('count of nodes', stage.nodes().length);
    },
  },
  {
    name: 'pending-goes',
    deed: 'a pod is deleted while its machine starts (consolidateAfter 0s): how long the machine is there for nothing',
    before: (of) => [pool(of, { disruption: { consolidateAfter: '0s' } }), ...app(of, { replicas: 0, pool: of.pool })],
    wanted: 0,
    play: async (stage) => {
      await scale(stage, 1);
      await stage.until('a claim', () => stage.claims().length === 1, 20);
      await scale(stage, 0);
      await stage.until('the claim is gone', () => stage.claims().length === 0, 150);
    },
  },
  {
    name: 'taint-no-execute',
    deed: 'a node gets a taint with NoExecute by hand',
    before: (of) => [pool(of), ...app(of, { replicas: 1, pool: of.pool, preStopSeconds: 3 })],
    wanted: 1,
    play: async (stage) => {
      const [node] = stage.nodes();
      await stage.patch('Node', node.metadata.name, { spec: { taints: [taint('mine', 'NoExecute')] } });
      await stage.until(
        'the pod goes',
        () => stage.pods().some(({ metadata }) => metadata.deletionTimestamp !== undefined),
        20,
      );
      await stage.until('another node', () => stage.nodes().length === 2, 60);
      await stage.until('ready', allReady(stage, 1), 60);
    },
  },
  {
    name: 'taint-tolerated-for-10-s',
    deed: 'a node gets a taint with NoExecute that the pod tolerates for 10 s',
    before: (of) => [
      pool(of),
      ...app(of, {
        replicas: 1,
        pool: of.pool,
        pod: { tolerations: [{ key: 'mine', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 }] },
      }),
    ],
    wanted: 1,
    play: async (stage) => {
      const [node] = stage.nodes();
      await stage.patch('Node', node.metadata.name, { spec: { taints: [taint('mine', 'NoExecute')] } });
      await stage.until(
        'the pod goes',
        () => stage.pods().some(({ metadata }) => metadata.deletionTimestamp !== undefined),
        30,
      );
      await stage.sleep(25);
      stage.note('count of nodes', stage.nodes().length);
      stage.note('count of ready pods', stage.readyPods().length);
    },
  },
  {
    name: 'drained-by-hand',
    deed: 'kubectl drain of one of two nodes with a budget of 1: cordon, then an eviction of each pod',
    before: (of) => [
      pool(of),
      ...app(of, { pool: of.pool, spread: true, preStopSeconds: 3 }),
      budget(of, { maxUnavailable: 1 }),
    ],
    wanted: 2,
    play: async (stage) => {
      const [node] = stage.nodes();
      await stage.patch('Node', node.metadata.name, { spec: { unschedulable: true } });
      const left = () => stage.pods().filter(({ spec }) => spec.nodeName === node.metadata.name);
      for (const { metadata } of left()) stage.note('status of the eviction', String(await stage.evict(metadata.name)));
      await stage.until('drained', () => left().length === 0, 60);
      await stage.until('ready', allReady(stage, 2), 60);
      stage.note('count of nodes', stage.nodes().length);
    },
  },
  {
    name: 'node-deleted-with-budget',
    deed: 'kubectl delete node of a node whose pod a budget keeps; the budget goes after 20 s',
    before: (of) => [pool(of), ...app(of, { replicas: 1, pool: of.pool }), budget(of, { maxUnavailable: 0 })],
    wanted: 1,
    play: async (stage) => {
      const [node] = stage.nodes();
      await stage.remove('Node', node.metadata.name);
      const isGone = () => !names(stage.nodes()).includes(node.metadata.name);
      await stage.until('gone', isGone, 20);
      stage.note('count of nodes after 20 s', stage.nodes().length);
      await stage.remove('PodDisruptionBudget', 'app');
      await stage.until('gone after that', isGone, 60);
      await stage.until('ready', allReady(stage, 1), 60);
    },
  },
  {
    name: 'killed-single',
    deed: 'the instance of the only pod ends, which has a preStop of 10 s',
    before: (of) => [pool(of), ...app(of, { replicas: 1, pool: of.pool, preStopSeconds: 10 })],
    wanted: 1,
    play: async (stage) => {
      const [node] = stage.nodes();
      await stage.kill(node);
      await stage.until(
        'ready on another',
        () => stage.readyPods().some(({ spec }) => spec.nodeName !== node.metadata.name),
        150,
      );
      await stage.until('the node is gone', () => !names(stage.nodes()).includes(node.metadata.name), 120);
      await stage.until('the dead pod is gone', () => stage.pods().length === 1, 120);
    },
  },
];
