import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeRequirementFindings } from '../../../src/validation/judge/node-requirements.ts';
import type { ClusterChanged } from '../../../src/validation/record/events.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { history } from '../../support/changes.ts';

const right = {
  'karpenter.sh/nodepool': 'general-purpose-arm',
  'kubernetes.io/arch': 'arm64',
  'kubernetes.io/os': 'linux',
  'karpenter.sh/capacity-type': 'on-demand',
  'karpenter.k8s.aws/instance-category': 'r',
  'karpenter.k8s.aws/instance-generation': '8',
};

function seen(name: string, labels: Record<string, string>, over: object = {}, change = 'modified'): ClusterChanged {
  const digest = { uid: name, createdAt: '', ready: true, cordoned: false, disrupted: false, labels, ...over };
  return {
    type: 'cluster-changed',
    at: '2026-11-20T10:00:00.000Z',
    change,
    kind: 'Node',
    name,
    digest,
  } as ClusterChanged;
}
const pool = {
  type: 'cluster-changed',
  change: 'added',
  kind: 'NodePool',
  name: 'general-purpose-arm',
} as ClusterChanged;
const settings = validationSchema.parse({});
const findings = (...changes: readonly ClusterChanged[]) =>
  nodeRequirementFindings(history([pool, ...changes]), settings);

test('nodes of the pool that meet 2.2 give one good finding', () => {
  const found = findings(seen('a', right), seen('b', right));
  assert.deepEqual(
    found.map(({ severity, observed }) => [severity, observed]),
    [['info', '2 nodes: a, b']],
  );
});

test('a node that is not arm64, on-demand, category r, generation > 6 is named with its labels', () => {
  const wrong = { ...right, 'kubernetes.io/arch': 'amd64', 'karpenter.k8s.aws/instance-generation': '6' };
  const found = findings(seen('good', right), seen('bad', wrong));
  assert.deepEqual(
    found.map(({ severity, subject, observed }) => [severity, subject, observed]),
    [['error', 'Node bad', 'kubernetes.io/arch is amd64, karpenter.k8s.aws/instance-generation is 6']],
  );
});

test('a node is judged by its labels when it is ready, even if it is gone later', () => {
  const half = { 'karpenter.sh/nodepool': 'general-purpose-arm' };
  assert.deepEqual(findings(seen('young', half, { ready: false })), []);
  const found = findings(seen('young', half, { ready: false }), seen('young', right));
  assert.equal(found[0]?.severity, 'info');
  const spot = { ...right, 'karpenter.sh/capacity-type': 'spot' };
  const gone = findings(seen('brief', spot), seen('brief', spot, { ready: false }), seen('brief', spot, {}, 'deleted'));
  assert.equal(gone[0]?.subject, 'Node brief');
});

test('nodes of other pools are not judged', () => {
  assert.deepEqual(
    findings(seen('other', { ...right, 'karpenter.sh/nodepool': 'other', 'kubernetes.io/arch': 'amd64' })),
    [],
  );
});

test('the digest in a deletion does not count', () => {
  const odd = { ...right, 'kubernetes.io/arch': 'amd64' };
  assert.equal(findings(seen('a', right), seen('a', odd, {}, 'deleted'))[0]?.severity, 'info');
});

test('nodes of a pool with requirements of its own are judged by those, as far as their labels are kept', () => {
  const requirements = [
    { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['c7g'] },
    { key: 'example.com/team', operator: 'In', values: ['web'] },
  ];
  const own = validationSchema.parse({ nodePool: { requirements } });
  const spot = { ...right, 'karpenter.sh/capacity-type': 'spot', 'karpenter.k8s.aws/instance-family': 'c7g' };
  const judged = (labels: Record<string, string>) => nodeRequirementFindings(history([pool, seen('a', labels)]), own);
  assert.deepEqual(
    judged(spot).map(({ severity, expected }) => [severity, expected]),
    [['info', 'karpenter.k8s.aws/instance-family In c7g']],
  );
  assert.equal(judged(right)[0]?.observed, 'karpenter.k8s.aws/instance-family is absent');
});
