import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unexplainedNodes } from '../../../src/validation/judge/unexplained-nodes.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { at, change, claim, history, node } from '../../support/changes.ts';

const fact = (seconds: number, type: string, over: object = {}) =>
  ({ at: new Date(at(seconds)).toISOString(), type, ...over }) as ValidationFact;
const facts = [
  fact(0, 'run-started'),
  fact(1, 'cluster-watched', { kind: 'NodeClaim' }),
  fact(100, 'application-verified'),
  fact(200, 'scenario-started'),
  fact(300, 'scenario-finished'),
  fact(400, 'run-finished'),
];
const unexplained = (facts: readonly ValidationFact[], ...seconds: readonly number[]) => {
  const changes = seconds.map((second) => change(second, 'NodeClaim', `at-${second}`, claim('x'), 'added'));
  return unexplainedNodes(facts, history(changes)).map(({ subject }) => subject);
};

test('claims that are created while the run acts are its own; others are named', () => {
  assert.deepEqual(unexplained(facts, 50, 150, 250, 350), ['NodeClaim at-150', 'NodeClaim at-350']);
});

test('claims from before the watch began are not new', () => {
  assert.deepEqual(unexplained(facts, 0.5, 1), []);
  assert.deepEqual(
    unexplained(
      facts.filter(({ type }) => type !== 'cluster-watched'),
      150,
    ),
    [],
  );
});

test('a run that ended in the middle of a scenario was active to its end', () => {
  const killed = facts.filter(({ type }) => type !== 'scenario-finished');
  assert.deepEqual(unexplained(killed, 350), []);
});

test('only an added NodeClaim is new, neither a changed one nor a Node', () => {
  const findings = (kind: 'modified' | 'deleted') =>
    unexplainedNodes(facts, history([change(150, 'NodeClaim', 'x', claim('x'), kind)]));
  assert.deepEqual([findings('modified'), findings('deleted')], [[], []]);
  assert.deepEqual(unexplainedNodes(facts, history([change(150, 'Node', 'x', node('x'), 'added')])), []);
});
