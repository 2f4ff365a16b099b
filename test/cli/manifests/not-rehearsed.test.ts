import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import type { Service } from '../../../src/cluster/resources.ts';
import { container, deployment, ingress, service } from '../../support/own-manifests.ts';
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

test('a preStop hook whose length is not in the manifests is told, and one that sleeps is not', async () => {
  const noted = async (preStop: object) => {
    const web = deployment('shop-web', 'shop', { containers: [{ ...container, lifecycle: { preStop } }] });
    const read = await readOwnManifests([web, service(), ingress()].map((one) => stringify(one)).join('---\n'));
    assert.ok('notes' in read, JSON.stringify(read));
    return read.notes.filter((one) => one.includes('preStop hook'));
  };
  const [note = '', ...more] = await noted({ exec: { command: ['/bin/drain', '--gently'] } });
  assert.match(note, /^own\.yaml:\d+: Deployment shop-web: how long the preStop hook of container web takes is not in/);
  assert.deepEqual(more, []);
  assert.equal((await noted({ httpGet: { path: '/quit', port: 'http' } })).length, 1);
  assert.deepEqual(await noted({ exec: { command: ['sh', '-c', 'nginx -s quit; sleep 10'] } }), []);
  assert.deepEqual(await noted({ sleep: { seconds: 10 } }), []);
});
