import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDemonstrated } from '../../../src/validation/record/demonstrations.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';

const at = (second: number): string => new Date(second * 1000).toISOString();
const facts: readonly ValidationFact[] = [
  { at: at(10), type: 'scenario-started', scenario: 'node-drain' },
  { at: at(20), type: 'scenario-finished', scenario: 'node-drain' },
  { at: at(30), type: 'scenario-started', scenario: 'single-replica' },
  { at: at(40), type: 'scenario-finished', scenario: 'single-replica' },
];

test('an outage while an owner’s application has one replica for show is no outage in the background', () => {
  const seconds = [9, 15, 25, 30, 35, 40, 45];
  const found = seconds.filter((second) => isDemonstrated(second * 1000, facts, { manifests: 'none' }, scenarios));
  assert.deepEqual(found, [30, 35, 40]);
});

test('on the application of the specification it is one', () => {
  assert.equal(isDemonstrated(35_000, facts, { manifests: 'hardened' }, scenarios), false);
});

test('a demonstration without an end excuses nothing', () => {
  assert.equal(isDemonstrated(35_000, facts.slice(0, 3), { manifests: 'none' }, scenarios), false);
});
