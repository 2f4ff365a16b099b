import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { AwsService } from '../../../src/cloud/aws/request.ts';
import { signedBySdk } from '../../../src/cloud/aws/sign.ts';
import { secrets } from '../../support/secrets.ts';

const secret = secrets.awsSecretKey;
const at = Date.parse('2026-11-20T10:00:00Z');

function withCredentials(t: TestContext): void {
  const before = { ...process.env };
  t.after(() => {
    process.env = before;
  });
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: secret });
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The steps of AWS' own document, "Create a signed AWS API request". */
function expectedSignature(
  [method, path, query, body]: readonly [string, string, string, string],
  headers: Readonly<Record<string, string>>,
  [service, region]: readonly [AwsService, string],
): string {
  const names = Object.keys(headers).sort();
  const canonical = [
    ...[method, path, query, ...names.map((name) => `${name}:${headers[name]}`), ''],
    ...[names.join(';'), sha256(body)],
  ].join('\n');
  const scope = `20261120/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', '20261120T100000Z', scope, sha256(canonical)].join('\n');
  const key = ['20261120', region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, toSign).toString('hex');
}

async function assertSigned(
  [method, path, query, body]: readonly ['GET' | 'POST', string, string, string],
  [service, region]: readonly [AwsService, string],
): Promise<void> {
  const url = `https://${service}.amazonaws.com${path}${query === '' ? '' : `?${query}`}`;
  const request = { method, url, headers: {}, ...(body === '' ? {} : { body }) };
  const { authorization = '', ...signed } = await signedBySdk().sign(request, { service, region, at });
  assert.match(authorization, new RegExp(`Credential=AKIDEXAMPLE/20261120/${region}/${service}/aws4_request`));
  const names = /SignedHeaders=([^,]*)/.exec(authorization)?.[1]?.split(';') ?? [];
  const headers = Object.fromEntries(names.map((name) => [name, signed[name] ?? '']));
  const expected = expectedSignature([method, path, query, body], headers, [service, region]);
  assert.equal(/Signature=(\w+)/.exec(authorization)?.[1], expected);
  assert.ok(!JSON.stringify([authorization, signed]).includes(secret));
}

test('a request is signed with the credentials of the environment, at the time of the host’s clock', async (t) => {
  withCredentials(t);
  await assertSigned(['POST', '/', '', 'Action=DescribeInstances&Version=2016-11-15'], ['ec2', 'eu-west-1']);
  await assertSigned(['GET', '/2013-04-01/hostedzonesbyname', 'dnsname=example.com', ''], ['route53', 'us-east-1']);
});
