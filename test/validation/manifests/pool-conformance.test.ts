import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodePool } from '../../../src/cluster/autoscaler.ts';
import { manifests } from '../../../src/validation/manifests/manifests.ts';
import { poolConformance } from '../../../src/validation/manifests/pool-conformance.ts';
import { validationSchema } from '../../../src/validation/settings.ts';

const settings = validationSchema.parse({});
const [applied] = manifests(settings) as readonly [NodePool];
/** The NodePool with the annotations and the status that Karpenter adds (2.1, 3.1). */
const live: NodePool = {
  ...applied,
  metadata: {
    ...applied.metadata,
    annotations: {
      ...applied.metadata.annotations,
      'karpenter.sh/nodepool-hash': '1',
      'karpenter.sh/nodepool-hash-version': 'v3',
    },
  },
  status: {
    conditions: [
      ...['ValidationSucceeded', 'NodeClassReady', 'Ready'].map((type) => ({ type, status: 'True' as const })),
      { type: 'NodeRegistrationHealthy', status: 'Unknown', reason: 'AwaitingReconciliation' },
    ],
    nodeClassObservedGeneration: 1,
    resources: { cpu: '0', 'ephemeral-storage': '0', memory: '0', nodes: '0', pods: '0' },
  },
};
const found = (pool: NodePool, nodes = 2) => poolConformance(pool, settings, nodes);
const differing = (pool: NodePool) => found(pool).filter(({ id }) => id === 'pool-field');
const spec = (over: object): NodePool => ({ ...live, spec: { ...live.spec, ...over } });
const inner = (over: object): NodePool => {
  const { template } = live.spec;
  return spec({ template: { ...template, spec: { ...template.spec, ...over } } });
};

test('the applied pool is as in 2.1 and 2.2, field by field', () => {
  const [all] = found(live);
  assert.deepEqual([all?.id, all?.observed], ['pool-fields', '25 of 25 fields as in 2.1 and 2.2']);
  assert.deepEqual(differing(live), []);
});

const [first, ...others] = live.spec.template.spec.requirements;
const wrong: readonly (readonly [string, NodePool, string])[] = [
  [
    'requirement kubernetes.io/arch',
    inner({ requirements: [{ ...first, values: ['amd64'] }, ...others] }),
    'kubernetes.io/arch In amd64',
  ],
  ['requirement kubernetes.io/arch', inner({ requirements: others }), 'no such requirement'],
  [
    'requirement topology.kubernetes.io/zone',
    inner({
      requirements: [
        ...live.spec.template.spec.requirements,
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a'] },
      ],
    }),
    'topology.kubernetes.io/zone In a',
  ],
  ['spec.template.spec.expireAfter', inner({ expireAfter: '24h' }), '24h'],
  [
    'spec.disruption.budgets',
    spec({ disruption: { ...live.spec.disruption, budgets: [{ nodes: '1' }] } }),
    '[{"nodes":"1"}]',
  ],
  ['spec.disruption.consolidateAfter', spec({ disruption: { ...live.spec.disruption, consolidateAfter: '2m' } }), '2m'],
  [
    'spec.disruption.consolidationPolicy',
    spec({ disruption: { ...live.spec.disruption, consolidationPolicy: 'WhenEmptyOrUnderutilized' } }),
    'WhenEmptyOrUnderutilized',
  ],
  [
    'hash-version annotation',
    {
      ...live,
      metadata: {
        ...live.metadata,
        annotations: { 'kubernetes.io/description': 'x', 'karpenter.sh/nodepool-hash': '1' },
      },
    },
    'absent',
  ],
  [
    'status.conditions Ready',
    {
      ...live,
      status: {
        ...live.status,
        conditions:
          live.status?.conditions?.map((one) => (one.type === 'Ready' ? { ...one, status: 'False' as const } : one)) ??
          [],
      },
    },
    'False',
  ],
  [
    'status.resources.pods',
    { ...live, status: { ...live.status, resources: { cpu: '0', 'ephemeral-storage': '0', memory: '0', nodes: '0' } } },
    'absent',
  ],
];

test('each field that differs is a finding of its own, with both values', () => {
  for (const [field, pool, observed] of wrong) {
    const findings = differing(pool);
    assert.deepEqual(
      findings.map((finding) => [finding.subject, finding.severity, finding.observed]),
      [[`NodePool general-purpose-arm ${field}`, 'warning', observed]],
    );
  }
});

test('720h against Never is a finding, and the object is left as it is', () => {
  const expiry = (pool: NodePool) => found(pool).find(({ id }) => id === 'expiry-expectation');
  assert.equal(expiry(live)?.severity, 'warning');
  assert.match(expiry(live)?.observed ?? '', /^expireAfter 720h in the applied object/);
  assert.match(expiry(live)?.expected ?? '', /never expire/);
  assert.equal(expiry(inner({ expireAfter: 'Never' }))?.severity, 'info');
});

test('the budgets are reported with both effective numbers', () => {
  const budget = (nodes: number) => found(live, nodes).find(({ id }) => id === 'budget-numbers')?.observed;
  assert.equal(budget(2), 'of 2 nodes 10% allows 1 at once, "1" allows 1: the same');
  assert.equal(budget(25), 'of 25 nodes 10% allows 3 at once, "1" allows 1: fewer');
  assert.equal(budget(0), 'of 0 nodes 10% allows 0 at once, "1" allows 1: more');
});

test('a pool of one’s own manifests is compared with its own requirements, and not with the other fields of 2.1', () => {
  const requirements = [{ key: 'karpenter.k8s.aws/instance-family', operator: 'In' as const, values: ['c7g'] }];
  const own = validationSchema.parse({ nodePool: { requirements } });
  const theirs = inner({ requirements, expireAfter: '168h' });
  const said = (one: NodePool) => poolConformance(one, own, 2).filter(({ severity }) => severity !== 'info');
  assert.deepEqual(
    said({ ...theirs, metadata: { ...theirs.metadata, annotations: live.metadata.annotations ?? {} } }),
    [],
  );
  assert.deepEqual(
    said(live)
      .map(({ subject }) => subject)
      .filter((subject) => !subject.includes('requirement')),
    [],
  );
  assert.match(said(live)[0]?.subject ?? '', /requirement karpenter\.k8s\.aws\/instance-family/);
});
