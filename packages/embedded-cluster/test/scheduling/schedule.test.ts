import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Node, Pod } from '../../src/kubernetes/resources.ts';
import type { PodSpec } from '../../src/kubernetes/specs.ts';
import { nodeInfoOf } from '../../src/scheduling/node-info.ts';
import { schedule } from '../../src/scheduling/schedule.ts';
import * as objects from '../support/objects.ts';

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

test('a cordon, an untolerated taint, a node selector and too small a node keep a pod off', () => {
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

test('a tolerated taint and a PreferNoSchedule taint do not keep a pod off', () => {
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

test('replicas are spread over nodes by a constraint, and without one by their controller', () => {
  assert.equal(placed(objects.pod('p', spread()), twoNodes, [on('a')]), 'b');
  const siblings = {
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 's', uid: 's', controller: true }],
  };
  const owned = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, ...siblings } });
  assert.equal(placed(owned(objects.pod('p')), twoNodes, [owned(on('a'))]), 'b');
});

test('a cordoned node counts as a spread domain: the second replica waits for a third node', () => {
  const nodes = [objects.node('a', { spec: { unschedulable: true } }), objects.node('b')];
  assert.match(
    placed(objects.pod('p', spread()), nodes, [on('b')]),
    /1 node\(s\) didn't match pod topology spread constraints/,
  );
});

test('both replicas may be on the only node, unless minDomains is 2', () => {
  const one = [objects.node('a')];
  assert.equal(placed(objects.pod('p', spread()), one, [on('a')]), 'a');
  assert.match(placed(objects.pod('p', spread({ minDomains: 2 })), one, [on('a')]), /topology spread/);
});

test('anti-affinity applies in both directions: the incoming pod’s terms, and those of the pods on the node', () => {
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

test('pod affinity needs a selected pod in the domain; the first pod that selects itself may go anywhere', () => {
  const close = near('podAffinity', zone);
  assert.equal(placed(objects.pod('p', close), inZones, [on('c')]), 'c');
  assert.notEqual(placed(objects.pod('p', close), inZones, [on('a')]), 'c');
  assert.match(placed(objects.pod('p', close), inZones, []), /^[abc]$/);
  const unselected = objects.pod('p', close, { labels: { app: 'other' } });
  assert.match(placed(unselected, inZones, []), /3 node\(s\) didn't match pod affinity rules/);
});

test('affinity terms select in the pod’s own namespace unless they name others; an empty selector selects all, none selects nothing', () => {
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

test('a host port is used once on a node; init containers and overhead count in the requests', () => {
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

test('a spread constraint counts nodes by nodeTaintsPolicy and pods by matchLabelKeys', () => {
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

test('matchFields select a node by its name', () => {
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

test('a pod is placed where it fits, and only if it fits', () => {
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
