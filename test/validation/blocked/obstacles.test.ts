import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodePool } from '../../../src/cluster/autoscaler.ts';
import type { Deployment, Pod, PodDisruptionBudget } from '../../../src/cluster/resources.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/cluster/volumes.ts';
import type { Stuck } from '../../../src/validation/blocked/obstacle.ts';
import { obstacles } from '../../../src/validation/blocked/read-obstacles.ts';
import { claimOf, podOn, poolNode } from '../../support/objects.ts';

const labels = { app: 'nginx-test' };

function workload(podSpec: object = {}, annotations: Readonly<Record<string, string>> = {}): Deployment {
  const container = { name: 'nginx', image: 'nginx:1.29', resources: { requests: { cpu: '250m' } } };
  const template = { metadata: { labels, annotations }, spec: { containers: [container], ...podSpec } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  } as Deployment;
}

function pool(spec: object = {}, template: object = {}): NodePool {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'apps' },
    spec: {
      template: {
        ...template,
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements: [
            { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] },
            { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['eu-west-1a'] },
          ],
          ...spec,
        },
      },
    },
  };
}

const withoutNode: Pod = podOn('none', {
  name: 'web-2',
  status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
});

const stuck = (over: Partial<Stuck>): Stuck => ({
  workload: workload(),
  pods: [podOn('a'), withoutNode],
  budgets: [],
  nodes: [poolNode('a')],
  pools: [pool()],
  claims: [],
  volumeClaims: [],
  volumes: [],
  evicts: false,
  ...over,
});

const told = (over: Partial<Stuck>): readonly string[] =>
  obstacles(stuck(over)).map(({ because: { kind, name, field }, observed }) => `${kind}/${name} ${field}: ${observed}`);

test('a pod for which a pool could launch a node is not blocked: it only waits', () => {
  assert.deepEqual(told({}), []);
  assert.deepEqual(
    told({ workload: workload({ nodeSelector: { 'topology.kubernetes.io/region': 'eu-west-1' } }) }),
    [],
  );
  const tolerations = [{ key: 'team', operator: 'Exists' as const }];
  const taints = [{ key: 'team', value: 'shop', effect: 'NoSchedule' as const }];
  assert.deepEqual(told({ workload: workload({ tolerations }), pools: [pool({ taints })] }), []);
});

test('the taint of a pool that no pod tolerates is named, unless another pool has none', () => {
  const tainted = pool({ taints: [{ key: 'team', value: 'shop', effect: 'NoSchedule' }] });
  assert.deepEqual(told({ pools: [tainted] }), [
    'NodePool/apps spec.template.spec.taints: NodePool apps has the taint team=shop:NoSchedule, and the pods do not tolerate it',
  ]);
  assert.deepEqual(told({ pools: [tainted, pool()] }), []);
});

test('a drifted node whose replacement has no room within the limits of its pool is named, unless a node starts or ends', () => {
  const limits = { limits: { nodes: '1' } };
  const limited = { ...pool(), spec: { ...pool().spec, ...limits } };
  const conditions = ['Initialized', 'Drifted'].map((type) => ({ type, status: 'True' as const, reason: type }));
  const drifted = { ...claimOf('a'), status: { conditions, capacity: { cpu: '4' } } };
  const claim = { ...drifted, metadata: { ...drifted.metadata, labels: { 'karpenter.sh/nodepool': 'apps' } } };
  const calm = { pods: [podOn('a')], pools: [limited] };
  assert.match(told({ ...calm, claims: [claim] as never })[0] ?? '', /spec\.limits: NodePool apps has limits nodes 1/);
  const ending = { ...claim, metadata: { ...claim.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  assert.deepEqual(told({ ...calm, claims: [ending] as never }), []);
  assert.deepEqual(told({ ...calm, pools: [pool()], claims: [claim] as never }), []);
});

test('what pods ask of a node and no pool has is named: the architecture, a label, a zone', () => {
  const [arch] = told({ workload: workload({ nodeSelector: { 'kubernetes.io/arch': 'amd64' } }) });
  assert.equal(
    arch,
    'Deployment/web spec.template.spec.nodeSelector: the pods ask for a node with kubernetes.io/arch In amd64, and NodePool apps has kubernetes.io/arch In arm64',
  );
  assert.match(
    told({ workload: workload({ nodeSelector: { role: 'web' } }) })[0] ?? '',
    /gives its nodes no such label/,
  );
  assert.deepEqual(
    told({
      workload: workload({ nodeSelector: { role: 'web' } }),
      pools: [pool({}, { metadata: { labels: { role: 'web' } } })],
    }),
    [],
  );
  const term = (zone: string) => ({
    matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }],
  });
  const affinity = (...zones: readonly string[]) => ({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: zones.map(term) } },
    },
  });
  assert.match(told({ workload: workload(affinity('eu-west-1b')) })[0] ?? '', /^Deployment\/web .*affinity/);
  assert.deepEqual(told({ workload: workload(affinity('eu-west-1b', 'eu-west-1a')) }), [], 'one term is enough');
});

test('the limits of a pool are named with what its nodes take of them', () => {
  const limited = { ...pool(), spec: { ...pool().spec, limits: { cpu: '5' } } };
  const claims = ['a', 'b'].map((node) => {
    const claim = claimOf(node, { metadata: { labels: { 'karpenter.sh/nodepool': 'apps' } } });
    return { ...claim, status: { ...claim.status, capacity: { cpu: '2', memory: '16Gi' } } };
  });
  assert.match(
    told({ pools: [limited], claims })[0] ?? '',
    /NodePool\/apps spec.limits: .*limits cpu 5, of which its 2 nodes take 4/,
  );
  assert.deepEqual(told({ pools: [limited], claims: claims.slice(1) }), []);
});

test('a spread or an anti-affinity over zones in which the pool has no nodes is named', () => {
  const spread = { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' };
  const over = (more: object) => workload({ topologySpreadConstraints: [{ ...spread, ...more }] });
  assert.match(told({ workload: over({ minDomains: 3 }) })[0] ?? '', /wants the pods over 3 zones, and NodePool apps/);
  const other = poolNode('b');
  const elsewhere = {
    ...other,
    metadata: { ...other.metadata, labels: { 'topology.kubernetes.io/zone': 'eu-west-1b' } },
  };
  assert.match(
    told({ workload: over({}), nodes: [elsewhere] })[0] ?? '',
    /also over eu-west-1b, where other nodes are/,
  );
  const required = [{ topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: labels } }];
  const apart = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } };
  assert.match(told({ workload: workload(apart) })[0] ?? '', /one pod into a zone, there are 2, and NodePool apps/);
});

test('the volume that another node holds is named, and so is one in a zone without nodes', () => {
  const mounting = (pod: Pod): Pod => ({
    ...pod,
    spec: { ...pod.spec, volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'uploads' } }] },
  });
  const claim = (mode: string): PersistentVolumeClaim => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'uploads' },
    spec: { accessModes: [mode], volumeName: 'pv-1' },
  });
  const starting = mounting(
    podOn('b', { status: { phase: 'Pending', conditions: [{ type: 'Ready', status: 'False' }] } }),
  );
  const pods = [mounting(podOn('a')), starting];
  assert.match(
    told({ pods, volumeClaims: [claim('ReadWriteOnce')] })[0] ?? '',
    /PersistentVolumeClaim\/uploads spec.accessModes: .*ReadWriteOnce, and nginx-test-a has its volume on a/,
  );
  assert.deepEqual(told({ pods, volumeClaims: [claim('ReadWriteMany')] }), []);
  const zone = { key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: ['eu-west-1c'] };
  const volume: PersistentVolume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv-1' },
    spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [zone] }] } } },
  };
  const alone = { pods: [mounting(withoutNode)], volumeClaims: [claim('ReadWriteOnce')], volumes: [volume] };
  assert.match(told(alone)[0] ?? '', /is in zone eu-west-1c, and no NodePool launches nodes there/);
});

test('a container that its livenessProbe ends again and again, and a readiness gate that nobody sets, are named', () => {
  const status = (restartCount: number) => ({
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'False' }],
    containerStatuses: [{ name: 'nginx', ready: false, restartCount, image: 'nginx', state: { waiting: {} } }],
  });
  const probed = {
    containers: [{ name: 'nginx', image: 'nginx', livenessProbe: { initialDelaySeconds: 5, periodSeconds: 5 } }],
  };
  const pod = (restartCount: number): Pod => ({ ...podOn('a', { status: status(restartCount) }), spec: probed });
  assert.match(
    told({ workload: workload(probed), pods: [pod(3)] })[0] ?? '',
    /containers\[0\].livenessProbe: livenessProbe ends container nginx 20 s after its start.*restarted 3 times/,
  );
  assert.deepEqual(told({ workload: workload(probed), pods: [pod(0)] }), [], 'it may still come up');
  const gated = {
    ...podOn('a', {
      status: {
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'ContainersReady', status: 'True' },
        ],
      },
    }),
    spec: { ...podOn('a').spec, readinessGates: [{ conditionType: 'example.com/registered' }] },
  };
  assert.match(told({ pods: [gated] })[0] ?? '', /nothing sets the condition example.com\/registered/);
});

test('pods that never leave their node have a budget that allows none, two budgets, or the annotation of Karpenter', () => {
  const budget = (name: string, spec: object): PodDisruptionBudget => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { selector: { matchLabels: labels }, ...spec },
  });
  const ready = { pods: [podOn('a'), podOn('b')], evicts: true };
  const none = budget('strict', { maxUnavailable: 0 });
  assert.deepEqual(told({ ...ready, budgets: [none] }), [
    'PodDisruptionBudget/strict spec.maxUnavailable: PodDisruptionBudget strict (maxUnavailable 0) keeps 2 of 2 pods: no eviction is ever allowed',
  ]);
  assert.match(
    told({ ...ready, budgets: [budget('all', { minAvailable: '60%' })] })[0] ?? '',
    /minAvailable 60%\) keeps 2/,
  );
  assert.deepEqual(told({ ...ready, budgets: [budget('fine', { minAvailable: 1 })] }), []);
  assert.deepEqual(told({ ...ready, budgets: [none], evicts: false }), [], 'nobody wants them to leave');
  const two = [budget('one', { minAvailable: 1 }), budget('other', { minAvailable: 1 })];
  assert.match(told({ ...ready, budgets: two })[0] ?? '', /one and other select the same pods/);
  const kept = workload({}, { 'karpenter.sh/do-not-disrupt': 'true' });
  assert.match(told({ ...ready, workload: kept })[0] ?? '', /annotation karpenter.sh\/do-not-disrupt/);
});
