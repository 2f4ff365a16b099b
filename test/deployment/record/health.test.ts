import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decide } from '../../../src/deployment/record/health.ts';
import { ask } from '../../../src/deployment/record/health-request.ts';
import { OperationError } from '../../../src/host/errors.ts';
import type { Host, HttpRequest } from '../../../src/host/host.ts';
import { secrets } from '../../support/secrets.ts';

const once = { consecutive: 1 };

test('without other rules one request decides', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999 }), (status) => {
      assert.equal(decide([status === 200], 0, once), status === 200 ? 'healthy' : 'unhealthy');
    }),
  );
});

test('attempts are how many requests may be made', () => {
  const rules = { ...once, attempts: 3 };
  assert.equal(decide([false], 0, rules), 'again');
  assert.equal(decide([false, false], 0, rules), 'again');
  assert.equal(decide([false, false, false], 0, rules), 'unhealthy');
  assert.equal(decide([false, false, true], 0, rules), 'healthy');
});

test('a deadline alone allows as many requests as fit into it', () => {
  const rules = { ...once, deadline: 10 };
  assert.equal(decide([false, false, false, false, false, false, false, false], 9.9, rules), 'again');
  assert.equal(decide([false], 10, rules), 'unhealthy');
});

test('several good answers have to be in a row', () => {
  const rules = { consecutive: 3, attempts: 6 };
  assert.equal(decide([true, true], 0, rules), 'again');
  assert.equal(decide([true, true, false, true, true], 0, rules), 'again');
  assert.equal(decide([true, true, false, true, true, true], 0, rules), 'healthy');
  assert.equal(
    decide([true, true, false, true, false], 0, rules),
    'unhealthy',
    'one more good answer would not be enough',
  );
});

test('it always ends, and never healthy after a bad last answer', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 10 }),
      (good, consecutive, attempts) => {
        const verdict = decide(good, 0, { consecutive, attempts });
        if (good.length >= attempts && attempts >= consecutive) assert.notEqual(verdict, 'again');
        if (good.at(-1) === false) assert.notEqual(verdict, 'healthy');
      },
    ),
  );
});

test('a name and password in the address become a header, and the address loses them', async () => {
  const asked: HttpRequest[] = [];
  const http = async (request: HttpRequest) => {
    asked.push(request);
    throw new OperationError({ tried: 'Asking', on: 'it', reason: 'nobody is there' });
  };
  const files = { read: async () => undefined } as unknown as Host['files'];
  const address = `http://user:${encodeURIComponent(secrets.healthPassword)}@app.example/up?full=1`;
  await assert.rejects(ask({ files, http }, address, { timeout: 10 }));
  const { url, asked: { headers = [] } = {} }: Partial<HttpRequest> = asked[0] ?? {};
  assert.equal(url, 'http://app.example/up?full=1');
  assert.deepEqual(headers, [
    { name: 'Authorization', value: `Basic ${Buffer.from(`user:${secrets.healthPassword}`).toString('base64')}` },
    { name: 'Cache-Control', value: 'no-cache' },
  ]);
});
