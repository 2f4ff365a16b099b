import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awsAccess } from '../../../src/cloud/aws/access.ts';
import { aws } from '../../../src/cloud/aws/aws.ts';
import { cloudSite } from '../../support/cloud-site.ts';

const refusal = (code: string, message: string): string =>
  `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

test('a request is retried while AWS is busy or fails, a bounded number of times', () =>
  cloudSite(async (at) => {
    for (const [status, code] of [
      [400, 'Throttling'],
      [400, 'PriorRequestNotComplete'],
      [503, 'ServiceUnavailable'],
    ] as const) {
      const first = at.requests.length;
      at.fault = (_request, index) => (index < first + 3 ? { status, body: refusal(code, 'later') } : undefined);
      assert.equal((await at.cloud.zone('example.com'))?.name, 'example.com', code);
    }
    const before = at.requests.length;
    at.fault = () => ({ status: 503, body: refusal('ServiceUnavailable', 'never') });
    await assert.rejects(at.cloud.zone('example.com'), /503 ServiceUnavailable: never/);
    assert.equal(at.requests.length - before, 6);
  }));

test('a refusal is not retried, and has AWS’s own message', () =>
  cloudSite(async (at) => {
    at.fault = () => ({ status: 403, body: refusal('AccessDenied', 'User x is not authorized') });
    await assert.rejects(at.cloud.zone('example.com'), /403 AccessDenied: User x is not authorized/);
    assert.equal(at.requests.length, 1);
  }));

test('an answer whose body never ends is cut off in time', () =>
  cloudSite(async (at) => {
    const http: typeof at.host.http = async (request, signal) => ({
      ...(await at.host.http(request, signal)),
      text: async () => {
        await at.clock.sleep(86_400, signal);
        return '';
      },
    });
    const slow = aws({ http, clock: at.clock }, {});
    await assert.rejects(slow.zone('example.com'), /ListHostedZonesByName example\.com: no answer within 30 s/);
    assert.ok(at.clock.monotonicSeconds() < 31);
  }));

test('requests go to the service’s own address, or to the one that is given', () =>
  cloudSite(async (at) => {
    at.fault = () => ({ status: 403, body: refusal('AccessDenied', '') });
    const ask = async (client: typeof at.cloud) => {
      await client.zone('example.com').catch(() => {});
      await client.instance('aws:///cn-north-1a/i-0a').catch(() => {});
      return at.requests.splice(0).map(({ url }) => new URL(url).origin);
    };
    assert.deepEqual(await ask(at.cloud), ['https://route53.amazonaws.com', 'https://ec2.cn-north-1.amazonaws.com.cn']);
    const endpoints = { route53: 'http://127.0.0.1:1', ec2: 'http://127.0.0.1:2' };
    assert.deepEqual(await ask(aws(at.host, { endpoints })), Object.values(endpoints));
  }));

test('the endpoints are those of the AWS command line', () => {
  assert.deepEqual(awsAccess({}).endpoints, {});
  assert.deepEqual(awsAccess({ AWS_ENDPOINT_URL: 'http://a/' }).endpoints, { ec2: 'http://a', route53: 'http://a' });
  const own = { AWS_ENDPOINT_URL: 'http://a', AWS_ENDPOINT_URL_ROUTE_53: 'http://b' };
  assert.deepEqual(awsAccess(own).endpoints, { ec2: 'http://a', route53: 'http://b' });
});
