import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpResponse } from '../../src/outside/http.ts';
import { type ContainerLog, containerLog } from '../../src/programs/container-log.ts';
import { logResponse, podOfLog } from '../../src/programs/pod-log.ts';

const at = Date.parse('2026-01-01T00:00:00Z');
const url = 'https://kubernetes.default.svc/api/v1/namespaces/default/pods/probe/log';

function filled(): ContainerLog {
  const log = containerLog();
  log.write('one\ntwo\nth', at + 1500);
  log.write('ree\n', at + 2000);
  return log;
}

const asked = (query: string, log = filled(), more: { isReachable?: false } = {}): HttpResponse =>
  logResponse({
    request: { method: 'GET', url: `${url}?${query}` },
    log,
    container: { name: 'probe', podKey: 'default/probe' },
    now: at + 3000,
    isReachable: true,
    signal: undefined,
    ...more,
  });

test('a log is sent with the options of v1 PodLogOptions', async () => {
  assert.equal(await asked('').text(), 'one\ntwo\nthree\n');
  assert.equal(
    await asked('timestamps=true').text(),
    '2026-01-01T00:00:01.500000000Z one\n2026-01-01T00:00:01.500000001Z two\n2026-01-01T00:00:02.000000000Z three\n',
  );
  assert.equal(await asked('tailLines=1').text(), 'three\n');
  assert.equal(await asked('sinceTime=2026-01-01T00:00:01.9Z').text(), 'one\ntwo\nthree\n', 'whole seconds');
  assert.equal(await asked('sinceTime=2026-01-01T00:00:02Z').text(), 'three\n');
  assert.equal(await asked('sinceSeconds=1').text(), 'three\n');
  assert.equal(await asked('limitBytes=5').text(), 'one\nt');
});

test('a followed log goes on until the container ends, or the reader leaves', async () => {
  const log = filled();
  const response = asked('follow=true&tailLines=0', log);
  const whole = response.text();
  log.write('four\n', at + 3000);
  log.end();
  assert.equal(await whole, 'four\n');
  const left = asked('follow=true');
  const chunks = left.chunks()[Symbol.asyncIterator]();
  assert.equal(Buffer.from((await chunks.next()).value ?? []).toString(), 'one\ntwo\nthree\n');
  const next = chunks.next();
  left.discard();
  assert.equal((await next).done, true);
});

test('what ran before a restart, and a node that does not answer, are refused as a kubelet’s', async () => {
  const previous = asked('previous=true');
  assert.equal(previous.status, 400);
  assert.match(await previous.text(), /previous terminated container \\"probe\\" in pod \\"probe\\" not found/);
  assert.equal(asked('', filled(), { isReachable: false }).status, 500);
  assert.equal(podOfLog({ method: 'GET', url }), 'default/probe');
  assert.equal(podOfLog({ method: 'POST', url }), undefined);
  assert.equal(podOfLog({ method: 'GET', url: url.replace('/log', '') }), undefined);
});
