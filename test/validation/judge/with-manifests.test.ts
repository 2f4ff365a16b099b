import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rules } from '../../../src/validation/audit/audit.ts';
import { placeOfFinding, placesOfPool, placesOfRules } from '../../../src/validation/judge/finding-places.ts';
import type { RunResult } from '../../../src/validation/judge/run-result.ts';
import { withManifests } from '../../../src/validation/judge/with-manifests.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';
import { scaleDown } from '../../../src/validation/scenarios/scale-down.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import type { Settings } from '../../../src/validation/settings.ts';
import { measured, settings } from '../../support/measured.ts';
import { downtime } from '../../support/results.ts';

const places = Object.fromEntries(
  Object.keys(placesOfRules).map((rule, index) => [rule, { file: 'web.yaml', line: index + 1, field: rule }]),
);
const fieldOf = (id: string, scenario?: string, ...faulted: readonly string[]) =>
  placeOfFinding({ id }, scenario, places, new Set(faulted))?.field;

test('a finding about the pool that a rehearsal assumes names no field; one about a pool of the manifests, or on a real cluster, does', () => {
  const findings = ['placement', 'expiry-expectation', 'pool-field', 'spread'].map((id) => ({
    id,
    severity: 'warning',
  }));
  const left = (kind: 'rehearsal' | 'cluster', known: object) => {
    const result = { run: { kind }, findings, scenarios: [], criteria: [] } as unknown as RunResult;
    const fact = { type: 'manifests-rehearsed', applications: [], places: known } as unknown as ValidationFact;
    return withManifests(result, [fact]).findings.map(({ id }) => id);
  };
  const all = findings.map(({ id }) => id);
  assert.deepEqual(left('rehearsal', {}), ['spread']);
  assert.deepEqual(left('rehearsal', { 'node-requirements': { file: 'pool.yaml', line: 1, field: 'spec' } }), all);
  assert.deepEqual(left('cluster', {}), all);
});

test('a finding of the audit has the place of its rule', () => {
  const names = rules.map(({ name }) => name);
  for (const rule of Object.keys(placesOfRules)) {
    assert.ok(names.includes(rule), `${rule} is no rule of the audit`);
    assert.equal(fieldOf(rule), rule);
  }
  assert.equal(fieldOf('ingress-replicas'), undefined, 'no manifest of an application decides it');
});

test('what is wrong with the nodes has the place of the field of their pool', () => {
  const ofPool = Object.fromEntries(
    Object.entries(placesOfPool).map(([rule, [, field]]) => [rule, { file: 'pool.yaml', line: 1, field }]),
  );
  const fieldAt = (found: Parameters<typeof placeOfFinding>[0], scenario?: string) =>
    placeOfFinding(found, scenario, ofPool, new Set())?.field;
  const requirements = 'spec.template.spec.requirements';
  assert.equal(fieldAt({ id: 'node-requirements' }), requirements);
  assert.equal(fieldAt({ id: 'new-node' }, 'scale-up'), requirements);
  assert.equal(fieldAt({ id: 'node-claims' }), 'spec.template.spec.expireAfter');
  const policy = { id: 'inconclusive', rules: ['consolidation-policy'] };
  assert.equal(fieldAt(policy, 'consolidation'), 'spec.disruption.consolidationPolicy');
  assert.equal(fieldAt({ id: 'inconclusive' }, 'consolidation'), undefined);
});

test('a measured finding has the place of the rule that the audit finds fault with, or of the likeliest', () => {
  assert.equal(fieldOf('no-downtime', 'node-drain'), 'disruption-budget');
  assert.equal(fieldOf('no-downtime', 'node-drain', 'replicas-apart', 'spread'), 'replicas-apart');
  assert.equal(fieldOf('no-downtime', 'ingress-controller-failure'), undefined);
  assert.equal(fieldOf('disruption-budget', 'node-drain'), undefined, 'an id of the audit says nothing of a scenario');
});

test('a measured finding has the place where its advice is to be written, whatever else the audit finds fault with', () => {
  const long = measured({ downtime: downtime({ lowerSeconds: 9 }) });
  const spikeOf = (applicationKind: Settings['applicationKind']) =>
    singleReplica.judge(long, { ...settings, applicationKind }).find(({ id }) => id === 'spike') ?? assert.fail();
  const rulesFor = (applicationKind: Settings['applicationKind']) => spikeOf(applicationKind).rules;
  assert.equal(fieldFor(rulesFor('Deployment')), 'readiness-probe');
  assert.equal(fieldFor(rulesFor('StatefulSet')), 'graceful-termination');
  const bad = { downtime: downtime({ bad: 1 }), outagesBegun: { beforeUndo: 0, afterUndo: 1 }, lacks: ['pre-stop'] };
  const [, , noDowntime] = scaleDown.judge(measured(bad), settings);
  assert.equal(fieldFor(noDowntime?.rules), 'graceful-termination');
});

function fieldFor(advised: readonly string[] | undefined): string | undefined {
  const faulted = new Set(['readiness-probe', 'graceful-termination']);
  return placeOfFinding({ id: 'any', ...(advised && { rules: advised }) }, 'single-replica', places, faulted)?.field;
}

test('every scenario that an application’s manifests decide has a place for its downtime', () => {
  const without = scenarios
    .map(({ name }) => name)
    .filter((name) => {
      const ids = ['no-downtime', 'spike', 'short-recovery', 'no-5xx'];
      return ids.every((id) => fieldOf(id, name) === undefined);
    });
  assert.deepEqual(without, ['ingress-controller-failure', 'dns-failure']);
});
