import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../src/cluster/cluster.ts';
import { mayPass } from '../../src/cluster/may-pass.ts';
import { OperationError, UsageError } from '../../src/host/errors.ts';

const refusal = (status: number) => new ApiError({ tried: 'get', on: 'Pod a', status, reason: '', message: '' });

test('no answer, a busy or failing server and a 401 may pass', () => {
  assert.equal(mayPass(new OperationError({ tried: 'GET', on: 'api', reason: 'connection refused' })), true);
  for (const status of [401, 408, 410, 429, 500, 502, 503, 504])
    assert.equal(mayPass(refusal(status)), true, `${status}`);
  fc.assert(fc.property(fc.integer({ min: 500, max: 599 }), (status) => mayPass(refusal(status))));
});

test('a final refusal does not pass', () => {
  for (const status of [400, 403, 404, 405, 422]) assert.equal(mayPass(refusal(status)), false, `${status}`);
});

test('a defect, a UsageError and an aborted request do not pass', () => {
  const abortion = AbortSignal.abort().reason;
  for (const error of [new TypeError('x is not a function'), new UsageError(['no']), abortion, 'ended', undefined])
    assert.equal(mayPass(error), false, String(error));
});
