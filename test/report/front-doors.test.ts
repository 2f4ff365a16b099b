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

test('what to set has what visitors noticed without it and with it, where a rehearsal tried it', () => {
  assert.deepEqual(frontDoorAdvice(result)[1], ['envoy-gateway', 'a preStop sleep', 'nothing is tried again', 'no']);
  const trials = [{ scenario: 'node-drain', without: downtime(45, 0.41), with: downtime(2, 0.1) }];
  const tried = { ...door('traefik', true, 45), advice: [{ what: 'a', because: 'b', tried: true, trials }] };
  assert.deepEqual(
    frontDoorAdvice({ ...result, frontDoors: [tried] })[0]?.[3],
    ['Manual node drain: without 45.0 s, 41 % of requests, with 2.0 s, 10 % of requests'][0],
  );
});
