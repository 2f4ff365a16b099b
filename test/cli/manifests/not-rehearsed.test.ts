import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { container, deployment, ingress, service } from '../../support/own-manifests.ts';
import { readOwnManifests } from '../../support/read-own-manifests.ts';

test('a preStop hook whose length is not in the manifests is reported, and one that sleeps is not', async () => {
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
