import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf } from '../../../src/cloud/aws/ec2.ts';
import { type CloudSite, cloudSite } from '../../support/cloud-site.ts';

function launch({ machines, clock }: CloudSite) {
  const wish = { type: 'r8g.large', zone: 'us-east-1b', capacityType: 'on-demand', labels: {}, taints: [] } as const;
  const { id, zone } = machines.launch({
    ...wish,
    tags: { 'karpenter.sh/nodepool': 'general-purpose-arm', Name: 'a & b' },
  });
  return { id, providerId: `aws:///${zone}/${id}`, running: () => clock.sleep(60) };
}

test('an instance is found by its node’s providerID, with its state and its tags', () =>
  cloudSite(async (at) => {
    const { id, providerId, running } = launch(at);
    assert.equal((await at.cloud.instance(providerId))?.state, 'pending');
    await running();
    assert.deepEqual(await at.cloud.instance(providerId), {
      id,
      state: 'running',
      tags: { 'karpenter.sh/nodepool': 'general-purpose-arm', Name: 'a & b' },
    });
  }));

test('terminate requests the end of one instance and does not wait for it', () =>
  cloudSite(async (at) => {
    const [one, other] = [launch(at), launch(at)];
    await one.running();
    await at.cloud.terminate([one.providerId]);
    assert.equal((await at.cloud.instance(one.providerId))?.state, 'shutting-down');
    assert.equal((await at.cloud.instance(other.providerId))?.state, 'running');
  }));

test('an unknown instance is undefined, and cannot be terminated', () =>
  cloudSite(async ({ cloud }) => {
    const unknown = 'aws:///us-east-1a/i-00000000000000000';
    assert.equal(await cloud.instance(unknown), undefined);
    await assert.rejects(
      cloud.terminate([unknown]),
      /TerminateInstances: i-0+: 400 InvalidInstanceID\.NotFound|InvalidInstanceID/,
    );
  }));

test('the region is the zone without its letter, also of a local zone', () => {
  assert.deepEqual(placeOf('aws:///eu-central-1b/i-0123456789abcdef0'), {
    region: 'eu-central-1',
    id: 'i-0123456789abcdef0',
  });
  assert.equal(placeOf('aws:///us-gov-west-1a/i-0a').region, 'us-gov-west-1');
  assert.equal(placeOf('aws:///us-west-2-lax-1a/i-0a').region, 'us-west-2');
  for (const other of ['gce://project/zone/name', 'aws:///us-east-1a/fargate-ip-10-0-0-1', ''])
    assert.throws(() => placeOf(other), /is not the id of an EC2 instance/);
});
