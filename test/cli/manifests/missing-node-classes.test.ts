import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { deployment, ingress, service } from '../../support/own-manifests.ts';
import { readOwnManifests } from '../../support/read-own-manifests.ts';

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'web' };
const requirements = [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }];
const pool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'web' },
  spec: { template: { spec: { nodeClassRef, requirements } } },
};
const nodeClass = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'web' },
  spec: {
    role: 'nodes',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: [{ tags: { a: 'b' } }],
    securityGroupSelectorTerms: [{ tags: { a: 'b' } }],
  },
};

async function notesOf(...more: readonly object[]): Promise<readonly string[]> {
  const objects = [deployment(), service(), ingress(), ...more];
  const read = await readOwnManifests(objects.map((one) => stringify(one)).join('---\n'));
  assert.ok('notes' in read, JSON.stringify(read));
  return read.notes.filter((note) => note.includes('EC2NodeClass'));
}

test('a node class that a NodePool refers to and that is not among the manifests is assumed, which is said', async () => {
  const [note, ...more] = await notesOf(pool);
  assert.match(
    note ?? '',
    /^own\.yaml:\d+: EC2NodeClass web is not among these manifests: it is assumed .* NodePool web/,
  );
  assert.deepEqual(more, []);
  assert.deepEqual(await notesOf(pool, nodeClass), []);
  assert.deepEqual(await notesOf(), []);
});
