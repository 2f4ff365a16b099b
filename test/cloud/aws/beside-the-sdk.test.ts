import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { DescribeInstancesCommand, EC2Client, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import {
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  ListHostedZonesByNameCommand,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53';
import type { XmlResponse } from '../../../packages/embedded-cluster/src/cloud-api/xml.ts';
import type { RecordSet } from '../../../src/cloud/cloud.ts';
import { cloudSite } from '../../support/cloud-site.ts';
import { type Asked, answers, pathAndQuery } from './documented-answers.ts';

/** The SDK's own client, whose connection is one answer. */
function sdk(answer: XmlResponse) {
  const asked: Asked[] = [];
  const requestHandler = {
    handle: async (request: { method: string; path: string; query?: Record<string, string>; body?: unknown }) => {
      asked.push({ method: request.method, path: pathAndQuery(request), body: String(request.body ?? '') });
      const body = Readable.from([Buffer.from(answer.body)]);
      return { response: { statusCode: answer.status, headers: { 'content-type': 'text/xml' }, body } };
    },
  };
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = { region: 'us-east-1', credentials, requestHandler: requestHandler as never, maxAttempts: 1 };
  return { asked, ec2: new EC2Client(client), route53: new Route53Client(client) };
}

const ok = (body: string): XmlResponse => ({ status: 200, body });
const zone = { id: 'Z1', name: 'example.com', nameServers: [], negativeTtlSeconds: 60 };
const providerId = 'aws:///us-east-1a/i-1234567890abcdef0';

test('DescribeInstances: the state and the tags are those that the SDK reads', () =>
  cloudSite(async (at) => {
    at.fault = () => ok(answers.describeInstances);
    const theirs = sdk(ok(answers.describeInstances));
    const { Reservations } = await theirs.ec2.send(
      new DescribeInstancesCommand({ InstanceIds: ['i-1234567890abcdef0'] }),
    );
    const instance = Reservations?.[0]?.Instances?.[0];
    assert.ok(instance);
    assert.deepEqual(await at.cloud.instance(providerId), {
      id: instance.InstanceId,
      state: instance.State?.Name,
      tags: Object.fromEntries((instance.Tags ?? []).map(({ Key, Value }) => [Key, Value])),
    });
    assert.deepEqual(
      new Map(new URLSearchParams(String(at.requests[0]?.body))),
      new Map(new URLSearchParams(theirs.asked[0]?.body)),
    );
  }));

test('TerminateInstances: the request is the one that the SDK makes, and the documented answer is a success', () =>
  cloudSite(async (at) => {
    at.fault = () => ok(answers.terminateInstances);
    const theirs = sdk(ok(answers.terminateInstances));
    await theirs.ec2.send(new TerminateInstancesCommand({ InstanceIds: ['i-1234567890abcdef0'] }));
    await at.cloud.terminate([providerId]);
    assert.deepEqual(
      new Map(new URLSearchParams(String(at.requests[0]?.body))),
      new Map(new URLSearchParams(theirs.asked[0]?.body)),
    );
  }));

test('ListHostedZonesByName: the zone is the one that the SDK reads', () =>
  cloudSite(async (at) => {
    at.fault = ({ url }) => ok(url.includes('/rrset') ? answers.apex : answers.listHostedZonesByName);
    const theirs = sdk(ok(answers.listHostedZonesByName));
    const { HostedZones } = await theirs.route53.send(new ListHostedZonesByNameCommand({ DNSName: 'example.com' }));
    const found = await at.cloud.zone('example.com');
    assert.equal(`/hostedzone/${found?.id}`, HostedZones?.[0]?.Id);
    assert.equal(`${found?.name}.`, HostedZones?.[0]?.Name);
    assert.equal(pathOf(at.requests[0]?.url), theirs.asked[0]?.path);
  }));

test('ListResourceRecordSets: every record set is read as the SDK reads it, aliases and weights too', () =>
  cloudSite(async (at) => {
    at.fault = () => ok(answers.listResourceRecordSets);
    const theirs = sdk(ok(answers.listResourceRecordSets));
    const command = new ListResourceRecordSetsCommand({
      HostedZoneId: 'Z1',
      StartRecordName: 'app.example.com',
      MaxItems: 100,
    });
    const { ResourceRecordSets = [] } = await theirs.route53.send(command);
    const ours = await at.cloud.records(zone, ['app.example.com']);
    assert.deepEqual(
      ours.map(({ whole: _, ...set }) => set),
      ResourceRecordSets.filter(({ Name }) => Name === 'app.example.com.').map(asOurs),
    );
    assert.equal(ours.length, 4);
    assert.equal(pathOf(at.requests[0]?.url), theirs.asked[0]?.path);
  }));

function asOurs({ Name, Type, TTL, AliasTarget: alias, ResourceRecords = [], SetIdentifier }: ResourceRecordSet) {
  const bare = (name = '') => name.replace(/\.$/, '');
  const values = ResourceRecords.map(({ Value }) => Value ?? '');
  const aliasOf = {
    zoneId: alias?.HostedZoneId ?? '',
    name: alias?.DNSName ?? '',
    evaluatesTargetHealth: alias?.EvaluateTargetHealth ?? false,
  };
  return {
    name: bare(Name),
    type: Type ?? '',
    ttlSeconds: TTL ?? null,
    values: alias === undefined ? values : [bare(alias.DNSName)],
    ...(alias === undefined ? {} : { alias: aliasOf }),
    ...(SetIdentifier === undefined ? {} : { setIdentifier: SetIdentifier }),
  } satisfies Omit<RecordSet, 'whole'>;
}

for (const [form, answer] of Object.entries(answers.getChange))
  test(`GetChange: a change is polled at the SDK’s address until INSYNC, its Id being ${form}`, () =>
    cloudSite(async (at) => {
      const pending = sdk(ok(answers.changeResourceRecordSets));
      const { ChangeInfo } = await pending.route53.send(
        new ChangeResourceRecordSetsCommand({ HostedZoneId: 'Z1', ChangeBatch: { Changes: [] } }),
      );
      assert.equal(ChangeInfo?.Status, 'PENDING');
      const theirs = sdk(ok(answer('PENDING')));
      const polled = await theirs.route53.send(new GetChangeCommand({ Id: ChangeInfo.Id }));
      await theirs.route53.send(new GetChangeCommand({ Id: polled.ChangeInfo?.Id }));
      const polls = [ok(answer('PENDING')), ok(answer('PENDING')), ok(answer('INSYNC'))];
      at.fault = ({ method }) => (method === 'POST' ? ok(answers.changeResourceRecordSets) : polls.shift());
      await at.cloud.change(zone, []);
      const [post, ...gets] = at.requests.map(({ url }) => pathOf(url));
      assert.equal(post, pending.asked[0]?.path);
      assert.deepEqual(gets, [...theirs.asked.map(({ path }) => path), theirs.asked[0]?.path]);
    }));

for (const [what, { status, body }] of Object.entries(answers.refusals))
  test(`a refusal has the message that the SDK reads: ${what}`, () =>
    cloudSite(async (at) => {
      const answer = { status, body };
      at.fault = () => answer;
      const theirs = await sdk(answer)
        .route53.send(new ChangeResourceRecordSetsCommand({ HostedZoneId: 'Z1', ChangeBatch: { Changes: [] } }))
        .then(
          () => assert.fail('not refused'),
          (error: Error) => error,
        );
      await assert.rejects(at.cloud.change(zone, []), {
        message: `ChangeResourceRecordSets example.com: ${status} ${theirs.name}: ${theirs.message}`,
      });
    }));

test('a batch that is wrong is reported with every message', () =>
  cloudSite(async (at) => {
    at.fault = () => answers.invalidChangeBatch;
    await assert.rejects(at.cloud.change(zone, []), /: 400 InvalidChangeBatch: It already exists; It is not there$/);
  }));

test('a refusal of EC2 has the message that the SDK reads', () =>
  cloudSite(async (at) => {
    const answer = answers.unauthorized;
    at.fault = () => answer;
    const theirs = await sdk(answer)
      .ec2.send(new DescribeInstancesCommand({ InstanceIds: ['i-1234567890abcdef0'] }))
      .then(
        () => assert.fail('not refused'),
        (error: Error) => error,
      );
    await assert.rejects(at.cloud.instance(providerId), {
      message: `DescribeInstances i-1234567890abcdef0: ${answer.status} ${theirs.name}: ${theirs.message}`,
    });
  }));

test('a refusal that is no answer of AWS has the beginning of what came, and never an empty reason', () =>
  cloudSite(async (at) => {
    const refusedWith = async (body: string, reason: RegExp) => {
      at.fault = () => ({ status: 404, body });
      await assert.rejects(at.cloud.records(zone, ['app.example.com']), reason);
    };
    await refusedWith('', /example\.com: 404 with an empty answer$/);
    await refusedWith(
      '<html>\n <p>Not Found</p></html>',
      /404 with an answer that is no error of AWS: <html> <p>Not Found/,
    );
    await refusedWith('not found', /404 with an answer that is no error of AWS: not found$/);
    at.fault = () => ok('a portal asks for a password');
    await assert.rejects(at.cloud.zone('example.com'), /Reading an answer of AWS: it is not XML: a portal asks/);
  }));

function pathOf(url = ''): string {
  const { pathname, searchParams } = new URL(url);
  return pathAndQuery({ path: pathname, query: Object.fromEntries(searchParams) });
}
