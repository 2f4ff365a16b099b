import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rules } from '../../../src/validation/audit/audit.ts';
import { placeOfFinding, placesOfRules } from '../../../src/validation/judge/finding-places.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';

const places = Object.fromEntries(
  Object.keys(placesOfRules).map((rule, index) => [rule, { file: 'web.yaml', line: index + 1, field: rule }]),
);
const fieldOf = (id: string, scenario?: string, ...faulted: readonly string[]) =>
  placeOfFinding({ id }, scenario, places, new Set(faulted))?.field;

test('a finding of the audit has the place of its rule', () => {
  const names = rules.map(({ name }) => name);
  for (const rule of Object.keys(placesOfRules)) {
    assert.ok(names.includes(rule), `${rule} is no rule of the audit`);
    assert.equal(fieldOf(rule), rule);
  }
  assert.equal(fieldOf('ingress-replicas'), undefined, 'no manifest of an application decides it');
});

test('a measured finding has the place of the rule that the audit finds fault with, or of the likeliest', () => {
  assert.equal(fieldOf('no-downtime', 'node-drain'), 'disruption-budget');
  assert.equal(fieldOf('no-downtime', 'node-drain', 'replicas-apart', 'spread'), 'replicas-apart');
  assert.equal(fieldOf('no-downtime', 'ingress-controller-failure'), undefined);
  assert.equal(fieldOf('disruption-budget', 'node-drain'), undefined, 'an id of the audit says nothing of a scenario');
});

test('every scenario that an application’s manifests decide has a place for its downtime', () => {
  const without = scenarios
    .map(({ name }) => name)
    .filter((name) => {
      const ids = ['no-downtime', 'spike', 'short-recovery', 'no-5xx'];
      return ids.every((id) => fieldOf(id, name) === undefined);
    });
  assert.deepEqual(without, ['ingress-controller-failure', 'dns-failure']);
});
