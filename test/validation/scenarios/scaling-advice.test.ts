import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container } from '../../../src/cluster/specs.ts';
import { outagesBegun } from '../../../src/validation/measure/measure.ts';
import { podNotes, scalingAdvice } from '../../../src/validation/scenarios/scaling-advice.ts';
import { at } from '../../support/changes.ts';
import { settings } from '../../support/measured.ts';
import { iso } from '../../support/run-facts.ts';

const up = { done: 'readiness-probe', undone: 'pre-stop' } as const;
const adviceOn = (beforeUndo: number, afterUndo: number, lacks: readonly string[] = [], about = settings) =>
  scalingAdvice({ outagesBegun: { beforeUndo, afterUndo }, lacks }, up, about);
const advice = (...begun: Parameters<typeof adviceOn>) => adviceOn(...begun).advice;

test('the advice names what the pods lack, whenever the outage began', () => {
  assert.match(advice(0, 3, ['readiness-probe']), /^traffic came before the pods could serve[^;]*$/);
  assert.match(advice(3, 0, ['pre-stop']), /^requests were cut while pods ended[^;]*$/);
  assert.match(advice(1, 0, ['pre-stop', 'readiness-probe']), /^traffic came .*; requests were cut /);
  assert.match(advice(1, 0, ['neighbours']), /^traffic came/);
  assert.match(advice(0, 3, ['readiness-probe']), /give the container a readiness probe/);
});

test('if they lack nothing the advice follows from the change in which the outage began', () => {
  assert.match(advice(0, 0), /^traffic came [^;]*$/);
  assert.match(advice(2, 0), /^traffic came [^;]*$/);
  assert.match(advice(0, 2), /^requests were cut [^;]*$/);
  assert.match(advice(1, 1), /^traffic came .*; requests were cut /);
  assert.doesNotMatch(advice(1, 1), /give the container/);
});

test('behind a load balancer of its own the preStop sleep has to outlast that, and no ingress controller is named', () => {
  const without = { ...settings, ingress: null };
  for (const lacks of [['pre-stop'], []]) {
    const said = adviceOn(0, 2, lacks, without).advice;
    assert.match(said, /what the load balancer needs to forget a pod: 3 min where pods are its targets/);
    assert.doesNotMatch(said, /ingress/);
  }
});

test('the advice is about the fields that it names, in its order', () => {
  assert.deepEqual(adviceOn(3, 0, ['pre-stop']).rules, ['graceful-termination']);
  assert.deepEqual(adviceOn(1, 0, ['pre-stop', 'readiness-probe']).rules, ['readiness-probe', 'graceful-termination']);
  assert.deepEqual(adviceOn(0, 2).rules, ['graceful-termination']);
});

const notesOf = (container: Partial<Container>) => {
  const spec = {
    replicas: 2,
    selector: {},
    template: { spec: { containers: [{ name: 'nginx', image: 'x', ...container }] } },
  };
  return podNotes({ workload: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec } }).map(
    ({ id, outcome, observed, advice: toDo }) => [id, outcome, observed, toDo !== ''],
  );
};

test('a missing readiness probe and a missing preStop sleep are only noted', () => {
  const good = {
    readinessProbe: { httpGet: { path: '/', port: 80 } },
    lifecycle: { preStop: { sleep: { seconds: 10 } } },
  };
  assert.deepEqual(notesOf(good), [
    ['readiness-probe', 'noted', 'there is one', false],
    ['pre-stop', 'noted', '10 s', false],
  ]);
  assert.deepEqual(notesOf({}), [
    ['readiness-probe', 'noted', 'none on nginx', true],
    ['pre-stop', 'noted', 'there is none', true],
  ]);
});

test('an outage belongs to the undo of its own round when it began at it or later', () => {
  const rounds = [
    { openedAt: at(0), actedAt: at(1), restAt: at(20), undoneAt: at(30) },
    { openedAt: at(60), actedAt: at(61), restAt: at(80), undoneAt: at(90) },
  ];
  const begun = (...seconds: readonly number[]) =>
    outagesBegun({ rounds, outages: seconds.map((from) => ({ from: iso(from) })) });
  assert.deepEqual(begun(2, 29.9, 30, 59, 60, 89.9, 90), { beforeUndo: 4, afterUndo: 3 });
  const [first] = rounds;
  const { undoneAt: _, ...never } = first ?? assert.fail();
  assert.deepEqual(outagesBegun({ rounds: [never], outages: [{ from: iso(50) }] }), {
    beforeUndo: 1,
    afterUndo: 0,
  });
});
