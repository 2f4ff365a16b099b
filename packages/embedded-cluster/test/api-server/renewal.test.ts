import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lease } from '../../src/kubernetes/resources.ts';
import { type InApi, inApi, request } from './in-api.ts';

const place = { namespace: 'default', name: 'leader' };
const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/leader';
const lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: place,
  spec: { holderIdentity: 'one', leaseDurationSeconds: 15, renewTime: '2026-11-20T10:00:00.000000Z' },
} as const;

/** The Lease after its writer has written this spec 70 s later: in process, and over HTTP. */
async function written(spec: Partial<Lease['spec']>): Promise<readonly [Lease, Lease]> {
  const found: Lease[] = [];
  const write = async ({ cluster, server, clock }: InApi, inProcess: boolean) => {
    await cluster.create(lease);
    await clock.sleep(70);
    const headers = { 'content-type': 'application/merge-patch+json' };
    if (inProcess) await cluster.patch('Lease', place, { type: 'merge', value: { spec } });
    else await request(server, 'PATCH', `${path}?fieldManager=tester`, { spec }, headers);
    const after = await cluster.get('Lease', place);
    assert.ok(after !== undefined);
    found.push(after);
  };
  await inApi((it) => write(it, true));
  await inApi((it) => write(it, false));
  const [own, sent] = found;
  assert.ok(own !== undefined && sent !== undefined);
  return [own, sent];
}

const renewTime = '2026-11-20T10:01:10.000000Z';

test('a Lease that its writer renews in process is what a PATCH over HTTP makes of it', async () => {
  const [own, sent] = await written({ renewTime });
  assert.equal(own.spec.renewTime, renewTime);
  assert.equal(own.metadata.managedFields?.[0]?.time, '2026-11-20T10:01:10Z');
  assert.deepEqual(own, sent);
});

test('so is one that gets another holder as well', async () => {
  const [own, sent] = await written({ renewTime, holderIdentity: 'two' });
  assert.equal(own.spec.holderIdentity, 'two');
  assert.deepEqual(own, sent);
});

test('a renewal of somebody else’s Lease takes `renewTime` over', () =>
  inApi(async ({ cluster, server }) => {
    await cluster.create(lease);
    await server.cluster('other').patch('Lease', place, { type: 'merge', value: { spec: { renewTime } } });
    const managers = (await cluster.get('Lease', place))?.metadata.managedFields?.map(({ manager }) => manager);
    assert.deepEqual(managers?.toSorted(), ['other', 'tester']);
  }));
