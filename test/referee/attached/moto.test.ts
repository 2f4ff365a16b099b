import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { EC2Client, RunInstancesCommand } from '@aws-sdk/client-ec2';
import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { awsAccess } from '../../../src/cloud/aws/access.ts';
import { aws } from '../../../src/cloud/aws/aws.ts';
import type { Cloud } from '../../../src/cloud/cloud.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { deleteDnsRecord } from '../../../src/validation/actions/delete-dns-record.ts';
import type { Site } from '../../../src/validation/site.ts';
import { secrets } from '../../support/secrets.ts';
import { needsMoto, startMoto } from './aws.ts';

process.env.AWS_ACCESS_KEY_ID ??= 'embedded';
process.env.AWS_SECRET_ACCESS_KEY ??= secrets.awsSecretKey;

const host = nodeHost();

/** An account in a moto of its own, as the SDK sees it and as we do. */
async function account(t: TestContext) {
  const endpoint = await startMoto(t);
  const of = { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } };
  const cloud: Cloud = aws(host, awsAccess({ AWS_ENDPOINT_URL: endpoint }));
  return { cloud, site: { host, cloud } as Site, ec2: new EC2Client(of), route53: new Route53Client(of) };
}

const balancer = 'k8s-ingressn.elb.us-east-1.amazonaws.com.';
const name = 'app.example.com.';
const mark = (type: string): ResourceRecordSet => ({
  Name: `${type}-${name}`,
  Type: 'TXT',
  TTL: 300,
  ResourceRecords: [
    { Value: '"heritage=external-dns,external-dns/owner=default,external-dns/resource=ingress/default/app"' },
  ],
});
const alias = (Type: 'A' | 'AAAA'): ResourceRecordSet => ({
  Name: name,
  Type,
  AliasTarget: { DNSName: balancer, HostedZoneId: 'Z26RNL4JYFTOTI', EvaluateTargetHealth: true },
});

test('in moto’s Route 53 aliases and the TXT of each are deleted, and created again equal in every field', async (t) => {
  if (!needsMoto(t)) return;
  const { cloud, site, route53 } = await account(t);
  const made = await route53.send(new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: '1' }));
  const HostedZoneId = made.HostedZone?.Id;
  const others = [mark('mail'), { ...mark('x'), Name: 'other.example.com.' }];
  const ours = [alias('A'), alias('AAAA'), mark('a'), mark('aaaa')];
  // moto refuses a CREATE that equals an earlier one where a later name has a record (moto 5.2.5: route53/models.py),
  // as ours would be.
  const Changes = [...ours, ...others].map((ResourceRecordSet) => ({ Action: 'UPSERT' as const, ResourceRecordSet }));
  await route53.send(new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch: { Changes } }));
  const all = async () =>
    (await route53.send(new ListResourceRecordSetsCommand({ HostedZoneId }))).ResourceRecordSets ?? [];
  const named = async () => (await all()).map(({ Name, Type }) => `${Type} ${Name}`).sort();
  const before = await all();

  const zone = await cloud.zone('example.com');
  assert.equal(`/hostedzone/${zone?.id}`, HostedZoneId);
  assert.equal(await cloud.zone('example.org'), undefined);
  const target = { name: 'app.example.com', zone: 'example.com' };
  const intent = JSON.parse(JSON.stringify(await deleteDnsRecord.prepare(site, target)));
  await deleteDnsRecord.perform(site, intent, new AbortController().signal);
  assert.deepEqual(await named(), [
    'NS example.com.',
    'SOA example.com.',
    'TXT mail-app.example.com.',
    'TXT other.example.com.',
  ]);
  assert.equal((await deleteDnsRecord.undo(site, intent)).state, 'undone');
  assert.deepEqual(await all(), before);
  assert.equal((await deleteDnsRecord.undo(site, intent)).state, 'not-needed');
});

test('moto’s EC2 shows an instance with its tags, ends it, and knows no other', async (t) => {
  if (!needsMoto(t)) return;
  const { cloud, ec2 } = await account(t);
  const { Instances: [instance] = [] } = await ec2.send(
    new RunInstancesCommand({
      ImageId: 'ami-03cf127a',
      MinCount: 1,
      MaxCount: 1,
      TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'karpenter.sh/nodepool', Value: 'general' }] }],
    }),
  );
  const id = instance?.InstanceId ?? '';
  const providerId = `aws:///us-east-1a/${id}`;
  assert.deepEqual(await cloud.instance(providerId), {
    id,
    state: 'running',
    tags: { 'karpenter.sh/nodepool': 'general' },
  });
  await cloud.terminate([providerId]);
  assert.equal((await cloud.instance(providerId))?.state, 'terminated');
  const nobody = 'aws:///us-east-1a/i-0123456789abcdef0';
  assert.equal(await cloud.instance(nobody), undefined);
  await assert.rejects(cloud.terminate([nobody]), /InvalidInstanceID\.NotFound/);
});
