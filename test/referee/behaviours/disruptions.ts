import type { Behaviour, Names } from './behaviour.ts';
import { app, budget, pool, spreadBy } from './objects.ts';
import { isRolledOut } from './rollouts.ts';
import { isReadyPod, type Stage } from './stage.ts';

/** Nodes that had the taint of a disruption at some time, since the deed began. */
const isTainted = ({ spec }: { spec?: { taints?: readonly { key: string }[] } }): boolean =>
  (spec?.taints ?? []).some(({ key }) => key === 'karpenter.sh/disrupted');

/** Makes each claim drift, as a changed template does; the pool stays as it is. */
const drift = async (stage: Stage, claims = stage.claims()) => {
  for (const { metadata } of claims)
    await stage.patch('NodeClaim', metadata.name, {
      metadata: { annotations: { 'karpenter.sh/nodepool-hash': 'other' } },
    });
};
const names = (objects: readonly { metadata: { name: string } }[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name);
const allReplaced =
  (stage: Stage, old: readonly string[], count = old.length) =>
  () => {
    const now = names(stage.nodes());
    return now.length === count && !now.some((name) => old.includes(name)) && stage.claims().length === count;
  };
const allReady = (stage: Stage, count: number) => () =>
  stage.readyPods().length === count && stage.pods().every(isReadyPod);

/** The greatest number of nodes that are disrupted at one time, until the condition holds. */
async function replacedWith(stage: Stage, old: readonly string[], withinSeconds: number): Promise<void> {
  let most = 0;
  const isDone = allReplaced(stage, old);
  await stage.until(
    'replaced',
    () => {
      most = Math.max(most, stage.nodes().filter(isTainted).length);
      return isDone();
    },
    withinSeconds,
  );
  stage.note('count of nodes disrupted at once', most);
}

const spreadApp = (of: Names, replicas = 2, more: object = {}) =>
  app(of, { replicas, pool: of.pool, spread: true, preStopSeconds: 3, ...more });

/** Drift, budgets and what happens beside them. */
export const disruptions: readonly Behaviour[] = [
  {
    name: 'drift-budget-2',
    deed: 'two nodes drift with a budget of 2',
    before: (of) => [
      pool(of, { disruption: { budgets: [{ nodes: '2' }] } }),
      ...spreadApp(of),
      budget(of, { maxUnavailable: 1 }),
    ],
    wanted: 2,
    play: async (stage) => {
      const old = names(stage.nodes());
      await drift(stage);
      await replacedWith(stage, old, 150);
    },
  },
  {
    name: 'drift-budget-half',
    deed: 'three nodes drift with a budget of 50 %',
    before: (of) => [pool(of, { disruption: { budgets: [{ nodes: '50%' }] } }), ...spreadApp(of, 3)],
    wanted: 3,
    play: async (stage) => {
      const old = names(stage.nodes());
      await drift(stage);
      await replacedWith(stage, old, 200);
    },
  },
  {
    name: 'drift-kill',
    deed: 'one of two nodes drifts; when it is tainted, the instance of the other ends',
    before: (of) => [pool(of), ...spreadApp(of), budget(of, { maxUnavailable: 1 })],
    wanted: 2,
    play: async (stage) => {
      const [first, second] = stage.claims();
      const old = names(stage.nodes());
      await drift(stage, [first]);
      await stage.until('tainted', () => stage.nodes().some(isTainted), 40);
      await stage.kill(stage.nodes().find(({ metadata }) => metadata.name === second.status.nodeName));
      await stage.until('both replaced', allReplaced(stage, old), 200);
      await stage.until('ready', allReady(stage, 2), 90);
    },
  },
  {
    name: 'kill-both',
    deed: 'the instances of both nodes end at once',
    before: (of) => [pool(of), ...spreadApp(of)],
    wanted: 2,
    play: async (stage) => {
      const old = names(stage.nodes());
      await Promise.all(stage.nodes().map((node) => stage.kill(node)));
      await stage.until(
        'one is ready again',
        () => stage.readyPods().some(({ spec }) => !old.includes(spec.nodeName)),
        150,
      );
      await stage.until('both replaced', allReplaced(stage, old), 150);
      await stage.until('ready', allReady(stage, 2), 60);
    },
  },
  {
    name: 'drain-without-end',
    deed: 'a claim is deleted whose pod a budget keeps for ever; a node of another pool drifts: how long until it is replaced',
    before: (of) => [
      pool(of),
      pool(of, { name: `${of.pool}-b` }),
      ...app(of, { replicas: 1, pool: of.pool }),
      budget(of, { maxUnavailable: 0 }),
      ...app(of, { name: 'other', replicas: 1, pool: `${of.pool}-b` }),
    ],
    wanted: 1,
    play: async (stage) => {
      const [held] = stage.claims();
      const other = `${stage.pool}-b`;
      const old = names(stage.nodes(other));
      await stage.remove('NodeClaim', held.metadata.name);
      await stage.sleep(5);
      await drift(stage, stage.claims(other));
      await stage.until(
        'the other is tainted',
        () => stage.nodes(other).some((node) => isTainted(node) && old.includes(node.metadata.name)),
        60,
      );
      await stage.until(
        'the other is replaced',
        () => stage.nodes(other).length > 0 && !names(stage.nodes(other)).some((name) => old.includes(name)),
        60,
      );
    },
  },
  {
    name: 'drift-without-end',
    deed: 'a node drifts, and once it is tainted a budget keeps its pod for ever; then a node of another pool drifts',
    before: (of) => [
      pool(of),
      pool(of, { name: `${of.pool}-b` }),
      ...app(of, { replicas: 1, pool: of.pool }),
      ...app(of, { name: 'other', replicas: 1, pool: `${of.pool}-b` }),
    ],
    wanted: 1,
    play: async (stage) => {
      const other = `${stage.pool}-b`;
      const old = names(stage.nodes(other));
      await drift(stage);
      await stage.until('tainted', () => stage.nodes().some(isTainted), 40);
      await stage.apply(budget(stage, { maxUnavailable: 0 }));
      await drift(stage, stage.claims(other));
      await stage.until('the other is tainted', () => stage.nodes(other).some(isTainted), 90);
      await stage.until(
        'the other is replaced',
        () => !names(stage.nodes(other)).some((name) => old.includes(name)),
        60,
      );
    },
  },
  {
    name: 'drift-and-rollout',
    deed: 'a rollout (maxSurge 1, maxUnavailable 0) begins when one of two nodes is tainted for drift',
    before: (of) => [
      pool(of),
      ...app(of, {
        pool: of.pool,
        preStopSeconds: 3,
        deployment: { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
      }),
      budget(of, { maxUnavailable: 1 }),
    ],
    wanted: 2,
    play: async (stage) => {
      const old = names(stage.nodes());
      await drift(stage, stage.claims().slice(0, 1));
      await stage.until('tainted', () => stage.nodes().some(isTainted), 40);
      await stage.patch('Deployment', 'app', { spec: { template: { metadata: { annotations: { rolled: '1' } } } } });
      await stage.sleep(0.5);
      await stage.until('rolled out', () => isRolledOut(stage), 120);
      await stage.until('replaced', () => !names(stage.nodes()).includes(old[0] ?? ''), 90);
    },
  },
  {
    name: 'budget-by-reason',
    deed: 'the budget for Drifted is 0, for Empty 1: one node drifts, the other becomes empty',
    before: (of) => [
      pool(of, {
        disruption: {
          consolidateAfter: '5s',
          budgets: [
            { nodes: '0', reasons: ['Drifted'] },
            { nodes: '1', reasons: ['Empty'] },
          ],
        },
      }),
      ...spreadApp(of),
    ],
    wanted: 1,
    play: async (stage) => {
      await drift(stage);
      await stage.patch('Deployment', 'app', { spec: { replicas: 1 } });
      await stage.until('the empty one is gone', () => stage.nodes().length === 1, 90);
      await stage.until('the other is tainted', () => stage.nodes().some(isTainted), 15);
    },
  },
  {
    name: 'budget-schedule',
    deed: 'a budget of 0 that its schedule has on all day: a drifted node',
    before: (of) => [
      pool(of, { disruption: { budgets: [{ nodes: '0', schedule: '0 0 * * *', duration: '24h' }] } }),
      ...spreadApp(of, 1),
    ],
    wanted: 1,
    play: async (stage) => {
      await drift(stage);
      await stage.until('tainted', () => stage.nodes().some(isTainted), 25);
      await stage.patch('NodePool', stage.pool, { spec: { disruption: { budgets: [{ nodes: '1' }] } } });
      await stage.until('tainted after the budget is 1', () => stage.nodes().some(isTainted), 40);
    },
  },
  {
    name: 'budget-percent-small',
    deed: 'a budget of 10 % of one node, which drifts',
    before: (of) => [pool(of, { disruption: { budgets: [{ nodes: '10%' }] } }), ...spreadApp(of, 1)],
    wanted: 1,
    play: async (stage) => {
      const old = names(stage.nodes());
      await drift(stage);
      await replacedWith(stage, old, 90);
    },
  },
  {
    name: 'karpenter-restarts',
    deed: 'a node drifts; when it is tainted, both pods of Karpenter are deleted',
    before: (of) => [pool(of), ...spreadApp(of, 1)],
    wanted: 1,
    play: async (stage) => {
      const old = names(stage.nodes());
      await drift(stage);
      await stage.until('tainted', () => stage.nodes().some(isTainted), 40);
      const path = '/api/v1/namespaces/kube-system/pods';
      const { body } = await stage.place.api.ask('GET', `${path}?labelSelector=app.kubernetes.io/name=karpenter`);
      for (const { metadata } of body.items)
        await stage.place.api.ask('DELETE', `${path}/${metadata.name}`, { body: {} });
      await stage.until('replaced', allReplaced(stage, old), 180);
    },
  },
  {
    name: 'emptied-and-filled',
    deed: 'the only pod of a node is scaled away, and comes back 8 s after (consolidateAfter 0s): does the node live',
    before: (of) => [pool(of, { disruption: { consolidateAfter: '0s' } }), ...spreadApp(of, 1)],
    wanted: 1,
    play: async (stage) => {
      const old = names(stage.nodes());
      await stage.patch('Deployment', 'app', { spec: { replicas: 0 } });
      await stage.sleep(8);
      await stage.patch('Deployment', 'app', { spec: { replicas: 1 } });
      await stage.until('ready', allReady(stage, 1), 60);
      await stage.sleep(15);
      stage.note('the node lives', names(stage.nodes()).includes(old[0] ?? '') ? 'yes' : 'no');
    },
  },
  {
    name: 'underutilized',
    deed: 'two nodes with one pod each, WhenEmptyOrUnderutilized after 5 s, the spread is taken away by a rollout',
    before: (of) => [
      pool(of, { disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '5s' } }),
      ...spreadApp(of),
      budget(of, { maxUnavailable: 1 }),
    ],
    wanted: 2,
    play: async (stage) => {
      await stage.patch('Deployment', 'app', { spec: { template: { spec: { topologySpreadConstraints: null } } } });
      await stage.sleep(0.5);
      await stage.until('rolled out', () => isRolledOut(stage), 60);
      await stage.until('one node is left', () => stage.nodes().length === 1 && stage.claims().length === 1, 120);
      await stage.until('ready', allReady(stage, 2), 60);
    },
  },
  {
    name: 'expiry',
    deed: 'two nodes expire 60 s after they were made, with a budget of 1 for pods',
    before: (of) => [
      pool(of, { template: { expireAfter: '60s' } }),
      ...spreadApp(of),
      budget(of, { maxUnavailable: 1 }),
    ],
    wanted: 2,
    play: async (stage) => {
      const old = names(stage.nodes());
      const expired = () => stage.claims().find(({ metadata }) => metadata.deletionTimestamp !== undefined);
      await stage.until('deleted', () => expired() !== undefined, 90);
      const { creationTimestamp, deletionTimestamp } = expired().metadata;
      stage.note('deleted', `at an age of ${(Date.parse(deletionTimestamp) - Date.parse(creationTimestamp)) / 1000} s`);
      await stage.until('old ones gone', () => !names(stage.nodes()).some((name) => old.includes(name)), 150);
    },
  },
  {
    name: 'grace-period',
    deed: 'a claim with a terminationGracePeriod of 45 s is deleted; a budget keeps its pod',
    before: (of) => [
      pool(of, { template: { terminationGracePeriod: '45s' } }),
      ...spreadApp(of, 1),
      budget(of, { maxUnavailable: 0 }),
    ],
    wanted: 1,
    play: async (stage) => {
      const [claim] = stage.claims();
      const [pod] = stage.pods();
      await stage.remove('NodeClaim', claim.metadata.name);
      await stage.until(
        'the pod is deleted',
        () =>
          !stage
            .pods()
            .some(({ metadata }) => metadata.uid === pod.metadata.uid && metadata.deletionTimestamp === undefined),
        90,
      );
      await stage.until('the claim is gone', () => !names(stage.claims()).includes(claim.metadata.name), 120);
      await stage.until('ready', allReady(stage, 1), 60);
    },
  },
  {
    name: 'pod-do-not-disrupt',
    deed: 'a claim is deleted whose pod has karpenter.sh/do-not-disrupt, which is taken away after 20 s',
    before: (of) => [pool(of), ...spreadApp(of, 1, { podAnnotations: { 'karpenter.sh/do-not-disrupt': 'true' } })],
    wanted: 1,
    play: async (stage) => {
      const [claim] = stage.claims();
      const [pod] = stage.pods();
      await stage.remove('NodeClaim', claim.metadata.name);
      const isGoing = () =>
        !stage
          .pods()
          .some(({ metadata }) => metadata.uid === pod.metadata.uid && metadata.deletionTimestamp === undefined);
      if (!(await stage.until('the pod goes by itself', isGoing, 20)))
        await stage.patch('Pod', pod.metadata.name, {
          metadata: { annotations: { 'karpenter.sh/do-not-disrupt': null } },
        });
      await stage.until('the claim is gone', () => !names(stage.claims()).includes(claim.metadata.name), 90);
      await stage.until('ready', allReady(stage, 1), 60);
    },
  },
  {
    name: 'node-do-not-disrupt',
    deed: 'a node with karpenter.sh/do-not-disrupt drifts, which is taken away after 25 s',
    before: (of) => [pool(of), ...spreadApp(of, 1)],
    wanted: 1,
    play: async (stage) => {
      const [node] = stage.nodes();
      await stage.patch('Node', node.metadata.name, {
        metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
      });
      await stage.sleep(1);
      await drift(stage);
      await stage.until('tainted', () => stage.nodes().some(isTainted), 25);
      await stage.patch('Node', node.metadata.name, {
        metadata: { annotations: { 'karpenter.sh/do-not-disrupt': null } },
      });
      await stage.until('tainted after that', () => stage.nodes().some(isTainted), 60);
    },
  },
  {
    name: 'pool-deleted',
    deed: 'a NodePool with two nodes is deleted while their pods run',
    before: (of) => [pool(of), ...spreadApp(of), budget(of, { maxUnavailable: 1 })],
    wanted: 2,
    play: async (stage) => {
      await stage.remove('NodePool', stage.pool);
      await stage.until(
        'a claim is deleted',
        () => stage.claims().some(({ metadata }) => metadata.deletionTimestamp !== undefined),
        30,
      );
      await stage.until('claims gone', () => stage.claims().length === 0, 60);
      stage.note('count of ready pods', stage.readyPods().length);
      stage.note('count of pods that wait', stage.pods().filter(({ status }) => status.phase === 'Pending').length);
    },
  },
  {
    name: 'zones',
    deed: 'three pods, spread over zones, are scaled to four',
    before: (of) => [
      pool(of),
      ...app(of, {
        replicas: 3,
        pool: of.pool,
        pod: { topologySpreadConstraints: [spreadBy('topology.kubernetes.io/zone', { app: 'app' })] },
      }),
    ],
    wanted: 3,
    play: async (stage) => {
      const zones = () => new Set(stage.nodes().map(({ metadata }) => metadata.labels['topology.kubernetes.io/zone']));
      stage.note('count of zones', zones().size);
      stage.note('count of nodes', stage.nodes().length);
      await stage.patch('Deployment', 'app', { spec: { replicas: 4 } });
      await stage.until('four are ready', allReady(stage, 4), 60);
      stage.note('count of nodes then', stage.nodes().length);
    },
  },
];
