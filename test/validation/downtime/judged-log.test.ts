import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JudgeSettings, judgedLog } from '../../../src/validation/downtime/judged-log.ts';
import type { LineExtra, LogPart } from '../../../src/validation/downtime-log/downtime-log.ts';

const part: LogPart = {
  format: 'holdfast',
  targets: ['http://app.example/'],
  intervalSeconds: 1,
  timeoutSeconds: 10,
  slowSeconds: 1,
  expect: 200,
  resolutionSeconds: 0,
};
interface Line {
  readonly status?: number;
  readonly millis?: number;
  readonly extra?: Partial<LineExtra>;
  readonly unknownTicks?: number;
}

/** The result of one sample that started at 5 s: its kind, `good`, or how many ticks are unknown. */
function judged(
  { status = 200, millis = 20, extra = {}, unknownTicks = 0 }: Line,
  settings: JudgeSettings = {},
  stall?: [number, number],
  of = part,
) {
  const results: unknown[] = [];
  const log = judgedLog(
    {
      part: () => {},
      clockStep: () => {},
      sample: (sample, kind) => {
        results.push(kind ?? (sample.unknownTicks || 'good'));
      },
    },
    settings,
  );
  log.part(of);
  if (stall !== undefined) log.stall(...stall);
  log.sample({ at: 5000, status, millis, extra: { connection: 'new', ...extra }, unknownTicks });
  return results;
}

test('a sample is good if its status, duration, completeness and page are as expected', () => {
  assert.deepEqual(judged({}), ['good']);
  assert.deepEqual(judged({ millis: 1000 }), ['good']);
  assert.deepEqual(judged({ millis: 1001 }), ['slow']);
  assert.deepEqual(judged({ status: 503 }), ['503']);
  assert.notDeepEqual(judged({ status: 0, extra: { error: 'refused' } }), ['good']);
  assert.notDeepEqual(judged({ extra: { error: 'body' } }), ['good']);
  assert.notDeepEqual(judged({ extra: { bodyMatched: false } }), ['good']);
});

test('a target may have a status and a slow limit of its own, which settings override too', () => {
  const [one, other] = ['http://a/', 'http://b/'];
  const ofOther = { ...part, targets: [one, other], own: { [other]: { expect: 301, slowSeconds: 3 } } };
  const kindOf = (target: string, status: number, millis: number, settings: JudgeSettings = {}) =>
    judged({ status, millis, extra: { target } }, settings, undefined, ofOther)[0];
  assert.deepEqual([kindOf(one, 200, 20), kindOf(one, 301, 20), kindOf(one, 200, 2000)], ['good', '301', 'slow']);
  assert.deepEqual(
    [kindOf(other, 301, 2000), kindOf(other, 200, 20), kindOf(other, 301, 3001)],
    ['good', '200', 'slow'],
  );
  assert.deepEqual(
    [kindOf(other, 200, 20, { expect: 200 }), kindOf(other, 301, 2000, { slowSeconds: 1 })],
    ['good', 'slow'],
  );
});

test('settings override the log’s expected status and slow limit', () => {
  assert.deepEqual(judged({ status: 204 }, { expect: 204 }), ['good']);
  assert.notDeepEqual(judged({}, { expect: 204 }), ['good']);
  assert.deepEqual(judged({ millis: 1500 }, { slowSeconds: 2 }), ['good']);
  assert.deepEqual(judged({ millis: 600 }, { slowSeconds: 0.5 }), ['slow']);
});

test('unknown ticks stay unknown', () => {
  assert.deepEqual(judged({ status: 0, millis: 0, unknownTicks: 4 }), [4]);
});

test('a sample that is slow only because the monitor stood still is unknown; a slower or refused one is bad', () => {
  const stall: [number, number] = [5000, 6500];
  assert.deepEqual(judged({ millis: 1600 }, {}, stall), [1]);
  assert.deepEqual(judged({ millis: 2501 }, {}, stall), ['slow']);
  assert.deepEqual(judged({ status: 503, millis: 1600 }, {}, stall), ['503']);
  assert.deepEqual(judged({ millis: 1600 }, {}, [0, 5000]), ['slow']);
  assert.deepEqual(judged({ millis: 900 }, {}, stall), ['good']);
  for (const error of ['timeout', 'connect-timeout'] as const)
    assert.deepEqual(judged({ status: 0, millis: 10_000, extra: { error } }, {}, [4000, 20_000]), [1]);
  assert.deepEqual(judged({ status: 0, millis: 10_000, extra: { error: 'timeout' } }, {}, [5000, 9000]), ['timeout']);
  assert.deepEqual(judged({ status: 0, millis: 10_000, extra: { error: 'timeout' } }), ['timeout']);
  assert.deepEqual(judged({ status: 0, millis: 500, extra: { error: 'timeout' } }), ['timeout']);
});
