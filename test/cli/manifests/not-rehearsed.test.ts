import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import type { Service } from '../../../src/cluster/resources.ts';
import { deployment, service } from '../../support/own-manifests.ts';
import { readOwnManifests } from '../../support/read-own-manifests.ts';

test('a load balancer whose targets are pods is told to send to nodes, and what its pods need on a cluster', async () => {
  const { metadata, ...rest } = service() as Service;
  const annotations = { 'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip' };
  const balanced = { ...rest, metadata: { ...metadata, annotations }, spec: { ...rest.spec, type: 'LoadBalancer' } };
  const read = await readOwnManifests(
    [deployment('shop-web', 'shop'), balanced].map((one) => stringify(one)).join('---\n'),
  );
  assert.ok('notes' in read, JSON.stringify(read));
  const [note = ''] = read.notes.filter((one) => one.includes('load balancer'));
  assert.match(note, /sends to nodes here, where the annotation asks for pods/);
  assert.match(note, /2 to 3 min after they were deregistered, which their preStop sleep has to outlast\.$/);
});
