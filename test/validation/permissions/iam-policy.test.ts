import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iamPolicy } from '../../../src/validation/permissions/iam-policy.ts';
import { cloudPermissions } from '../../../src/validation/permissions/permissions.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';
import { validationSchema } from '../../../src/validation/settings.ts';

const settings = validationSchema.parse({});
const policyOf = (...names: readonly string[]) =>
  iamPolicy(settings, cloudPermissions(scenarios.filter(({ name }) => names.includes(name))));

test('the policy allows what the scenarios need, and nothing else', () => {
  const all = cloudPermissions(scenarios);
  const { Statement } = iamPolicy(settings, all);
  assert.deepEqual(
    Statement.map(({ Action }) => Action),
    all,
  );
  assert.equal(new Set(Statement.map(({ Sid }) => Sid)).size, Statement.length);
  assert.ok(Statement.every(({ Sid }) => /^[A-Za-z0-9]+$/.test(Sid)));
  assert.deepEqual(policyOf('node-drain').Statement, []);
});

test('every action that writes is bound: instances of the pool, and records of the application’s name', () => {
  const writing = policyOf('instance-kill', 'dns-failure').Statement.filter(({ Action }) =>
    /Terminate|Change.*Sets/.test(Action),
  );
  assert.deepEqual(writing, [
    {
      Sid: 'TerminateInstances',
      Effect: 'Allow',
      Action: 'ec2:TerminateInstances',
      Resource: 'arn:aws:ec2:*:*:instance/*',
      Condition: { StringEquals: { 'aws:ResourceTag/karpenter.sh/nodepool': 'general-purpose-arm' } },
    },
    {
      Sid: 'ChangeResourceRecordSets',
      Effect: 'Allow',
      Action: 'route53:ChangeResourceRecordSets',
      Resource: 'arn:aws:route53:::hostedzone/*',
      Condition: {
        'ForAllValues:StringEquals': {
          'route53:ChangeResourceRecordSetsNormalizedRecordNames': [
            'app.example.com',
            'a-app.example.com',
            'aaaa-app.example.com',
            'cname-app.example.com',
          ],
          'route53:ChangeResourceRecordSetsRecordTypes': ['A', 'AAAA', 'CNAME', 'TXT'],
          'route53:ChangeResourceRecordSetsActions': ['CREATE', 'DELETE'],
        },
      },
    },
  ]);
});

test('a zone of dynamic updates needs nothing of Route 53', () => {
  const own = validationSchema.parse({ dns: { rfc2136: { server: 'ns1.example.com', keyFile: '/etc/key' } } });
  const { Statement } = iamPolicy(own, cloudPermissions(scenarios));
  assert.deepEqual(
    Statement.map(({ Action }) => Action),
    ['ec2:DescribeInstances', 'ec2:TerminateInstances'],
  );
});

test('of several applications the policy names each pool and each record once', () => {
  const several = validationSchema.parse({
    applications: [
      { application: 'forum', url: 'http://forum.example.com/' },
      { application: 'wiki', url: 'http://forum.example.com/wiki', nodePool: { name: 'office' } },
    ],
  });
  const chosen = scenarios.filter(({ name }) => ['instance-kill', 'dns-failure'].includes(name));
  const conditions = iamPolicy(several, cloudPermissions(chosen)).Statement.map(({ Condition = {} }) => Condition);
  const [instances] = conditions.flatMap(({ StringEquals = {} }) => Object.values(StringEquals));
  assert.deepEqual(instances, ['general-purpose-arm', 'office']);
  const key = 'route53:ChangeResourceRecordSetsNormalizedRecordNames';
  const records = conditions.flatMap((one) => one['ForAllValues:StringEquals']?.[key] ?? []);
  assert.ok(records.includes('app.example.com') && records.includes('forum.example.com'), records.join());
  assert.equal(new Set(records).size, records.length);
});
