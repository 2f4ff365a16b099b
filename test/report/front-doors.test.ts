import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frontDoorAdvice, frontDoorTable } from '../../src/report/front-doors.ts';
import type { RunResult } from '../../src/validation/judge/run-result.ts';

const span = (seconds: number) => ({ seconds, lowerSeconds: seconds, upperSeconds: seconds });
const downtime = (seconds: number, part: number) => ({
  ...span(seconds),
  slowSeconds: 0,
  span: span(seconds),
  share: { part, lower: part, upper: part },
});
const door = (name: string, declared: boolean, seconds: number) => ({
  name,
  declared,
  verdict: seconds === 0 ? ('pass' as const) : ('fail' as const),
  scenarios: [{ name: 'node-drain', outcome: 'pass' as const, downtime: downtime(seconds, 0.41) }],
  advice: [{ what: 'a preStop sleep', because: 'nothing is tried again', tried: false }],
  notRehearsed: [],
});
const result = {
  scenarios: [{ name: 'node-drain', title: 'Manual node drain' }],
  frontDoors: [door('ingress-nginx', true, 0), door('envoy-gateway', false, 45)],
} as unknown as RunResult;

test('each scenario is a row with what visitors notice behind each front door', () => {
  assert.deepEqual(frontDoorTable(result), {
    columns: ['Scenario', 'ingress-nginx (declared)', 'envoy-gateway'],
    rows: [
      ['Manual node drain', 'pass, 0.0 s', 'pass, 45.0 s, 41 % of requests'],
      ['Verdict', 'pass', 'fail'],
    ],
  });
  assert.equal(frontDoorTable({ scenarios: [] }), undefined);
});

test('what to set says whether the rehearsal had it set', () => {
  assert.deepEqual(frontDoorAdvice(result)[1], ['envoy-gateway', 'a preStop sleep', 'nothing is tried again', 'no']);
});
