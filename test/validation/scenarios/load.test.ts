import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadRecorded } from '../../../src/validation/record/load-recorded.ts';
import { load } from '../../../src/validation/scenarios/load.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { application, outcomes, settings, words } from '../../support/measured.ts';
import { before } from '../../support/objects.ts';

const result = (over: Partial<LoadRecorded> = {}): LoadRecorded => ({
  startedAt: 0,
  seconds: 2,
  statuses: { 200: 20_000 },
  errors: {},
  latency: [],
  percentiles: { p50: 0.01, p90: 0.02, p99: 0.03, p999: 0.04, max: 0.05 },
  ...over,
});
const calm = { baseline: 5, peak: 120, peakOfLimit: 0.48, calmSeconds: 30 };
const sent = (over: Partial<LoadRecorded> = {}) => outcomes(load, { load: result(over), cpu: calm });

test('20,000 requests at concurrency 500 against the host', () => {
  assert.deepEqual(load.plan(before(), settings).actions[0]?.target, {
    url: 'http://app.example.com/',
    requests: 20_000,
    concurrency: 500,
    timeoutSeconds: 10,
  });
});

test('every answer below 500, CPU stable and no crash are as expected', () => {
  assert.deepEqual(sent(), {
    'no-5xx': 'met',
    'every-request-answered': 'met',
    'no-crash': 'met',
    'cpu-stable': 'met',
  });
});

test('one 5xx is not as expected; a 4xx is no 5xx', () => {
  assert.equal(sent({ statuses: { 200: 19_999, 503: 1 } })['no-5xx'], 'not-met');
  assert.match(
    words(load, 'no-5xx', { load: result({ statuses: { 200: 19_990, 429: 9, 500: 1 } }) }),
    /19990 × 200, 9 × 429, 1 × 500/,
  );
  assert.equal(sent({ statuses: { 200: 19_000, 429: 1000 } })['no-5xx'], 'met');
});

test('more than 0.1 % of answers from a firewall or a rate limit are inconclusive', () => {
  const answered = (statuses: LoadRecorded['statuses']) => sent({ statuses })['application-answered'];
  assert.equal(answered({ 200: 20_000 }), undefined);
  assert.equal(answered({ 200: 19_980, 429: 20 }), 'met');
  assert.equal(answered({ 200: 19_979, 429: 21 }), 'inconclusive');
  assert.equal(answered({ 403: 20_000 }), 'inconclusive');
  assert.equal(answered({ 200: 19_000, 503: 1000 }), undefined);
});

test('a request without an answer is not as expected, though no 5xx', () => {
  const cut = { statuses: { 200: 19_990 }, errors: { reset: 7, timeout: 3 } };
  assert.deepEqual([sent(cut)['no-5xx'], sent(cut)['every-request-answered']], ['met', 'not-met']);
  assert.match(words(load, 'every-request-answered', { load: result(cut) }), /10 were not: 7 × reset, 3 × timeout/);
});

test('more than 0.1 % of failures of this machine are inconclusive', () => {
  assert.equal(sent({ statuses: { 200: 19_980 }, errors: { client: 20 } })['client-errors'], 'met');
  assert.equal(sent({ statuses: { 200: 19_979 }, errors: { client: 21 } })['client-errors'], 'inconclusive');
  assert.equal(sent({ statuses: { 200: 19_979 }, errors: { client: 21 } })['every-request-answered'], 'met');
});

test('a restarted container is a crash', () => {
  const crashed = { load: result(), cpu: calm, application: application({ podRestarts: 2 }) };
  assert.equal(outcomes(load, crashed)['no-crash'], 'not-met');
});

const withCpu = (cpu: Parameters<typeof outcomes>[1] & object) =>
  outcomes(load, { load: result(), ...cpu })['cpu-stable'];

test('CPU is stable at up to 90 % of the limit, and near the baseline within a minute', () => {
  assert.equal(withCpu({ cpu: { ...calm, peakOfLimit: 0.9 } }), 'met');
  assert.equal(withCpu({ cpu: { ...calm, peakOfLimit: 0.91 } }), 'not-met');
  assert.equal(withCpu({ cpu: { ...calm, peakOfLimit: null } }), 'met');
  assert.equal(withCpu({ cpu: { ...calm, calmSeconds: 60 } }), 'met');
  assert.equal(withCpu({ cpu: { ...calm, calmSeconds: 61 } }), 'not-met');
  assert.equal(withCpu({ cpu: { ...calm, calmSeconds: null } }), 'not-met');
});

test('without a metrics API CPU is noted as not measured', () => {
  assert.equal(withCpu({ cpu: { because: '404 NotFound' } }), 'noted');
  assert.match(words(load, 'cpu-stable', { load: result(), cpu: { because: '404' } }), /not measured: 404/);
});

test('a load that did not end is inconclusive', () => {
  assert.deepEqual([outcomes(load)['no-5xx'], outcomes(load)['every-request-answered']], ['inconclusive', undefined]);
});

test('500 is a 5xx, one unanswered request is not as expected, and unobserved pods are inconclusive', () => {
  assert.equal(sent({ statuses: { 200: 19_999, 500: 1 } })['no-5xx'], 'not-met');
  assert.equal(sent({ statuses: { 200: 19_999 }, errors: { reset: 1 } })['every-request-answered'], 'not-met');
  const unseen = { load: result(), cpu: calm, application: undefined as never };
  assert.equal(outcomes(load, unseen)['no-crash'], 'inconclusive');
});

test('requests that were not sent are no good ones: up to 0.1 % is met, more is inconclusive, and a load that was sent says nothing of it', () => {
  const unsent = (count: number) => sent({ statuses: { 200: 20_000 - count }, unsent: count })['requests-sent'];
  assert.equal(sent()['requests-sent'], undefined);
  assert.equal(unsent(20), 'met');
  assert.equal(unsent(21), 'inconclusive');
  const rate = { statuses: { 200: 15_000 }, unsent: 5000 };
  assert.match(
    words(load, 'requests-sent', { load: result(rate) }),
    /^5000 were not sent \(25\.00 %\) \| raise load\.concurrency or lower load\.rate/,
  );
});

test('a generator that tells no times has none, and is named', () => {
  const told = result({ percentiles: null, generator: 'k6' });
  assert.match(words(load, 'no-5xx', { load: told }), /20000 × 200 in 2\.0 s by k6; how long they took is not known/);
});

test('many workers that did not send their share are named up to five, and counted', () => {
  const amiss = Array.from({ length: 9 }, (_, index) => ({
    ...{ index, what: 'late', because: 'it was told late', requests: 100, unsent: 100 },
  })) as never[];
  const workers = { asked: 200, sound: 191, startSpreadSeconds: 0.25, untimed: 2, amiss };
  const text = words(load, 'requests-sent', { load: result({ statuses: { 200: 19_100 }, unsent: 900, workers }) });
  assert.match(
    text,
    /191 of 200 workers sent their share, started within 0\.25 s; worker 0 was late: it was told late/,
  );
  assert.match(text, /worker 4 .*; 4 more did not; the times of 2 workers are not known \|/);
});

test('the prediction counts the start of the pods, and the time of a rate', () => {
  const predicted = (over: object) => {
    const { durationSeconds, steps } = load.predict({} as never, validationSchema.parse({ load: over }));
    return [durationSeconds.least, durationSeconds.most, steps[0]?.because];
  };
  const [least = 0, most = 0] = predicted({}) as [number, number];
  assert.deepEqual(predicted({ workers: 4 }), [
    least + 5.04,
    most + 305.04,
    '500 at a time from 4 pods, as fast as they are answered',
  ]);
  assert.deepEqual(predicted({ rate: 100 }).slice(0, 1), [least - 2 + 200]);
  assert.equal(predicted({ rate: 100 })[2], '500 at a time, 100 a second');
});
