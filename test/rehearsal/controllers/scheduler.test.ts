import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Node, Pod } from '../../../src/cluster/resources.ts';
import type { PodSpec } from '../../../src/cluster/specs.ts';
import { schedule, scheduler } from '../../../src/rehearsal/controllers/scheduler.ts';
import { nodeInfoOf } from '../../../src/rehearsal/scheduling/node-info.ts';
import { meets } from '../../../src/rehearsal/scheduling/requirements.ts';
import * as objects from '../support/objects.ts';
import { onStage } from '../support/stage.ts';

const labels = { app: 'nginx-test' };
const spread = (over: object = {}): Partial<PodSpec> => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: labels },
      ...over,
    },
  ],
});

/** The node that the scheduler picks for the pod, with these pods on the nodes; or its message. */
function placed(pod: Pod, nodes: readonly Node[], there: readonly Pod[] = []): string {
  const names = nodes.map(({ metadata }) => metadata.name);
  const nodeInfo = (name: string) => {
    const node = nodes.find(({ metadata }) => metadata.name === name);
    return (
      node &&
      nodeInfoOf(
        node,
        there.filter(({ spec }) => spec.nodeName === name),
      )
    );
  };
  const decision = schedule(pod, { names, nodeInfo }, () => 0);
  return 'node' in decision ? decision.node.name : decision.message;
}

const twoNodes = [objects.node('a'), objects.node('b')];
const on = (nodeName: string, over: Partial<PodSpec> = {}): Pod =>
  objects.pod(`on-${nodeName}`, { nodeName, ...over }, { ready: true });

test('a pod is bound within a tenth of a second, and says so in its condition PodScheduled', async () => {
  await onStage([scheduler({ packs: false })], [objects.node('a'), objects.pod('p')], async ({ cluster, until }) => {
    const pod = () => cluster.get('Pod', { name: 'p', namespace: 'default' });
    const seconds = await until(async () => (await pod())?.spec.nodeName === 'a');
    assert.ok(seconds >= 0.01 && seconds <= 0.11, `${seconds} s`);
    assert.equal((await pod())?.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.status, 'True');
  });
});

test('a pod without a place is Unschedulable, in the scheduler’s words, until a node comes that will do', async () => {
  const waiting = objects.pod('p', { nodeSelector: { role: 'web' } });
  await onStage([scheduler({ packs: false })], [objects.node('a'), waiting], async ({ cluster, until }) => {
    const condition = async () =>
      (await cluster.get('Pod', { name: 'p', namespace: 'default' }))?.status?.conditions?.find(
        ({ type }) => type === 'PodScheduled',
      );
    await until(async () => (await condition())?.reason === 'Unschedulable');
    assert.equal(
      (await condition())?.message,
      "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
    );
    await cluster.create(objects.node('web', { labels: { role: 'web' } }));
    await cluster.patch(
      'Node',
      { name: 'web' },
      { type: 'merge', value: { status: { allocatable: { cpu: '1', memory: '1Gi', pods: '8' } } } },
      { subresource: 'status' },
    );
    await until(async () => (await condition())?.status === 'True');
  });
});

test('a cordon, a taint, a selector and a request that does not fit keep a pod off', () => {
  const cases: readonly [Node, Partial<PodSpec>, string][] = [
    [objects.node('a', { spec: { unschedulable: true } }), {}, 'node(s) were unschedulable'],
    [
      objects.node('a', { spec: { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] } }),
      {},
      'node(s) had untolerated taint {k: v}',
    ],
    [objects.node('a'), { nodeSelector: { x: 'y' } }, "node(s) didn't match Pod's node affinity/selector"],
    [
      objects.node('a'),
      { containers: [{ name: 'n', image: 'n', resources: { requests: { cpu: '2' } } }] },
      'Insufficient cpu',
    ],
  ];
  for (const [node, spec, why] of cases) {
    assert.equal(placed(objects.pod('p', spec), [node]), `0/1 nodes are available: 1 ${why}.`);
  }
});

test('a tolerated taint and a taint that only prefers keep nobody off', () => {
  const tainted = objects.node('a', {
    spec: {
      taints: [
        { key: 'k', effect: 'NoSchedule' },
        { key: 'p', effect: 'PreferNoSchedule' },
      ],
    },
  });
  assert.equal(placed(objects.pod('p', { tolerations: [{ key: 'k', operator: 'Exists' }] }), [tainted]), 'a');
});

test('replicas are spread over the nodes by a constraint, and by habit without one', () => {
  assert.equal(placed(objects.pod('p', spread()), twoNodes, [on('a')]), 'b');
  const siblings = {
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 's', uid: 's', controller: true }],
  };
  const owned = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, ...siblings } });
  assert.equal(placed(owned(objects.pod('p')), twoNodes, [owned(on('a'))]), 'b');
});

test('a cordoned node still counts as a domain, so that the second replica waits for a third node', () => {
  const nodes = [objects.node('a', { spec: { unschedulable: true } }), objects.node('b')];
  assert.match(
    placed(objects.pod('p', spread()), nodes, [on('b')]),
    /1 node\(s\) didn't match pod topology spread constraints/,
  );
});

test('with one node both replicas may be on it, unless the constraint asks for two domains', () => {
  const one = [objects.node('a')];
  assert.equal(placed(objects.pod('p', spread()), one, [on('a')]), 'a');
  assert.match(placed(objects.pod('p', spread({ minDomains: 2 })), one, [on('a')]), /topology spread/);
});

test('anti-affinity is heard on both sides', () => {
  const alone: Partial<PodSpec> = {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: labels } },
        ],
      },
    },
  };
  assert.equal(placed(objects.pod('p', alone), twoNodes, [on('a')]), 'b');
  assert.equal(placed(objects.pod('p'), twoNodes, [on('a', alone)]), 'b');
  assert.match(
    placed(objects.pod('p', alone), twoNodes, [on('a'), on('b')]),
    /2 node\(s\) didn't match pod anti-affinity rules/,
  );
});

const near = (kind: 'podAffinity' | 'podAntiAffinity', topologyKey: string, more: object = {}): Partial<PodSpec> => ({
  affinity: {
    [kind]: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey, labelSelector: { matchLabels: labels }, ...more },
      ],
    },
  },
});
const zone = 'topology.kubernetes.io/zone';
const inZones = [
  objects.node('a', { labels: { [zone]: 'z1' } }),
  objects.node('b', { labels: { [zone]: 'z1' } }),
  objects.node('c', { labels: { [zone]: 'z2' } }),
];

test('affinity wants a pod that is meant in the domain, and the first of its kind may begin anywhere', () => {
  const close = near('podAffinity', zone);
  assert.equal(placed(objects.pod('p', close), inZones, [on('c')]), 'c');
  assert.notEqual(placed(objects.pod('p', close), inZones, [on('a')]), 'c');
  assert.match(placed(objects.pod('p', close), inZones, []), /^[abc]$/);
  const stranger = objects.pod('p', close, { labels: { app: 'other' } });
  assert.match(placed(stranger, inZones, []), /3 node\(s\) didn't match pod affinity rules/);
});

test('terms speak of the pod’s own namespace unless they name others; an empty selector selects all, a missing one nothing', () => {
  const elsewhere = on('a');
  const there: Pod = { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'other' } };
  const apart = (more: object) => objects.pod('p', near('podAntiAffinity', 'kubernetes.io/hostname', more));
  const [one] = [[objects.node('a')]];
  assert.equal(placed(apart({}), one, [there]), 'a');
  assert.match(placed(apart({ namespaces: ['other'] }), one, [there]), /anti-affinity/);
  assert.match(placed(apart({ namespaceSelector: {} }), one, [there]), /anti-affinity/);
  assert.match(placed(apart({ labelSelector: {} }), one, [on('a')]), /anti-affinity/);
  assert.equal(placed(apart({ labelSelector: undefined }), one, [on('a')]), 'a');
});

test('a pod with anti-affinity over zones keeps others out of its whole zone', async () => {
  const shy = on('a', near('podAntiAffinity', zone));
  await onStage([scheduler({ packs: false })], [...inZones, shy], async (stage) => {
    for (const name of ['p', 'q', 'r']) {
      await stage.cluster.create(objects.pod(name));
      const at = { name, namespace: 'default' };
      await stage.until(async () => (await stage.cluster.get('Pod', at))?.spec.nodeName === 'c');
    }
  });
});

test('pods of another scheduler and pods with a closed gate are left alone', async () => {
  const gated = objects.pod('gated', { schedulingGates: [{ name: 'example.com/wait' }] });
  const foreign = objects.pod('foreign', { schedulerName: 'other' });
  await onStage([scheduler({ packs: false })], [objects.node('a'), gated, foreign], async (stage) => {
    await stage.clock.sleep(5);
    for (const { spec, status } of await stage.cluster.list('Pod')) {
      assert.equal(spec.nodeName, undefined);
      assert.equal(status?.conditions, undefined);
    }
  });
});

test('a host port is taken once a node; init containers and overhead are asked for too', () => {
  const port = { containers: [{ name: 'n', image: 'n', ports: [{ containerPort: 80, hostPort: 8080 }] }] };
  assert.equal(placed(objects.pod('p', port), twoNodes, [on('a', port)]), 'b');
  assert.match(placed(objects.pod('p', port), [objects.node('a')], [on('a', port)]), /free ports/);
  const cpu = (amount: string) => ({ name: 'n', image: 'n', resources: { requests: { cpu: amount } } });
  const free = (spec: Partial<PodSpec>) => placed(objects.pod('p', spec), [objects.node('a')]);
  assert.equal(free({ containers: [cpu('900m')], initContainers: [cpu('1900m')] }), 'a', 'one after the other');
  assert.match(free({ containers: [cpu('900m')], initContainers: [cpu('2')] }), /Insufficient cpu/);
  assert.match(
    free({ containers: [cpu('1')], initContainers: [{ ...cpu('1'), restartPolicy: 'Always' }] }),
    /Insufficient cpu/,
  );
  assert.match(free({ containers: [cpu('1900m')], overhead: { cpu: '100m' } }), /Insufficient cpu/);
});

test('a spread counts only the nodes and the pods that it says it counts', () => {
  const tainted = objects.node('b', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } });
  const nodes = [objects.node('a'), tainted];
  assert.match(placed(objects.pod('p', spread()), nodes, [on('a')]), /topology spread/);
  assert.equal(placed(objects.pod('p', spread({ nodeTaintsPolicy: 'Honor' })), nodes, [on('a')]), 'a');
  const old = { ...labels, 'pod-template-hash': 'old' };
  const before = objects.pod('x', { nodeName: 'a' }, { ready: true, labels: old });
  const fresh = { labels: { ...labels, 'pod-template-hash': 'new' } };
  const byTemplate = spread({ matchLabelKeys: ['pod-template-hash'] });
  const cordoned = [objects.node('a'), objects.node('b', { spec: { unschedulable: true } })];
  assert.equal(placed(objects.pod('p', byTemplate, fresh), cordoned, [before]), 'a');
});

test('a node is also chosen by its name', () => {
  const byName = (values: readonly string[]): Partial<PodSpec> => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values }] }],
        },
      },
    },
  });
  assert.equal(placed(objects.pod('p', byName(['b'])), twoNodes), 'b');
  assert.match(placed(objects.pod('p', byName(['c'])), twoNodes), /node affinity/);
});

test('Gt and Lt compare numbers, In and NotIn words, and an absent label is NotIn', () => {
  assert.ok(meets('8', { key: 'g', operator: 'Gt', values: ['6'] }));
  assert.ok(!meets('6', { key: 'g', operator: 'Gt', values: ['6'] }));
  assert.ok(meets('10', { key: 'g', operator: 'Gt', values: ['9'] }));
  assert.ok(!meets(undefined, { key: 'g', operator: 'Gt', values: ['6'] }));
  assert.ok(meets(undefined, { key: 'g', operator: 'NotIn', values: ['a'] }));
  assert.ok(!meets(undefined, { key: 'g', operator: 'In', values: ['a'] }));
});

test('whatever is there, a pod that is placed fits, and one that is not fits nowhere', () => {
  const millicores = fc.integer({ min: 1, max: 1900 });
  fc.assert(
    fc.property(
      fc.array(fc.array(millicores, { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
      millicores,
      (used, wanted) => {
        const asking = (cpu: number) => ({
          containers: [{ name: 'n', image: 'n', resources: { requests: { cpu: `${cpu}m` } } }],
        });
        const nodes = used.map((_, index) => objects.node(`n${index}`));
        const there = used.flatMap((each, index) =>
          each.map((cpu) => objects.pod('x', { nodeName: `n${index}`, ...asking(cpu) }, { ready: true })),
        );
        const free = used.map((each) => 1940 - each.reduce((sum, cpu) => sum + cpu, 0));
        const where = placed(objects.pod('p', asking(wanted)), nodes, there);
        const index = nodes.findIndex(({ metadata }) => metadata.name === where);
        assert.equal(index >= 0 ? (free[index] ?? 0) >= wanted : free.every((each) => each < wanted), true);
      },
    ),
  );
});
