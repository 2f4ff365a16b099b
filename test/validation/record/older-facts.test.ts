import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeHost } from '../../../src/host/node.ts';
import type { Finding } from '../../../src/validation/finding.ts';
import { readRun } from '../../../src/validation/judge/read-run.ts';
import { sharedNodes } from '../../../src/validation/record/neighbours-note.ts';
import { inTodaysForm } from '../../../src/validation/record/older-facts.ts';
import { ofType } from '../../../src/validation/record/records.ts';

/** `rehearse -f` of two applications by version 0.1.0, with the scenarios instance-kill and consolidation. */
const folder = join(import.meta.dirname, 'run-of-0.1.0');
const old = await readRun(nodeHost().files, folder);
assert.ok(old);
const { facts, result } = old;

test('a journal of version 0.1.0 is judged as it was', () => {
  assert.equal(result.verdict, 'inconclusive');
  assert.deepEqual(
    result.criteria.map(({ outcome }) => outcome),
    ['not-tested', 'not-tested', 'met', 'not-tested', 'not-tested', 'not-tested'],
  );
  const kill = result.scenarios.find(({ name }) => name === 'instance-kill');
  const { seconds, lowerSeconds, upperSeconds } = kill?.downtime ?? {};
  assert.deepEqual([kill?.verdict, seconds, lowerSeconds, upperSeconds], ['pass', 15.64, 3, 49.092]);
  // What the program wrote of this run then.
  const doubtful = ({ severity }: Finding): boolean => severity !== 'info';
  assert.deepEqual(
    result.findings.filter(doubtful).map(({ id, subject, at }) => [id, subject, at?.line, at?.field]),
    [
      ['placement', 'Deployment default/web', 14, 'spec.template.spec.nodeSelector'],
      ['placement', 'Deployment default/api', 106, 'spec.template.spec.nodeSelector'],
    ],
  );
  const ofOne = [...result.findings, ...(kill?.findings ?? [])].filter(({ id }) =>
    ['application', 'other-writers', 'ingress-present', 'neighbours'].includes(id),
  );
  assert.deepEqual(
    ofOne.map(({ id, subject }) => [id, subject]),
    [
      ['application', 'default/web'],
      ['other-writers', 'default/web'],
      ['ingress-present', 'Deployment/web: phase 3'],
      ['application', 'default/api'],
      ['other-writers', 'default/api'],
      ['ingress-present', 'Deployment/api: phase 3'],
      ['neighbours', 'Deployment/web: Instance hard kill'],
      ['neighbours', 'Deployment/api: Instance hard kill'],
    ],
  );
});

test('the policy of a pool is the place of a consolidation that an old journal calls inconclusive', () => {
  const [question] = result.scenarios.find(({ name }) => name === 'consolidation')?.findings ?? [];
  assert.deepEqual(question?.at, { file: 'two.yaml', line: 89, field: 'spec.disruption.consolidationPolicy' });
});

test('the neighbours that an old journal notes are known by node and pod', () => {
  const notes = ofType(inTodaysForm(facts), 'scenario-noted').map(({ expectation }) => expectation);
  const neighbours = notes.flatMap((note) => note.neighbours ?? []);
  assert.deepEqual(neighbours, [
    { node: 'ip-10-0-16-4.us-east-1.compute.internal', others: ['default/api-f487f458f-h5xkp'] },
  ]);
  assert.deepEqual([...sharedNodes(notes)], ['ip-10-0-16-4.us-east-1.compute.internal']);
  const nobody = 'nobody but the application and what runs on every node';
  const expectation = {
    id: 'neighbours',
    expected: 'who else is on node-a',
    outcome: 'noted',
    observed: nobody,
  } as const;
  const [fact] = inTodaysForm([{ at: '', type: 'scenario-noted', scenario: 'node-drain', expectation }]);
  assert.ok(fact?.type === 'scenario-noted');
  assert.deepEqual(fact.expectation.neighbours, { node: 'node-a', others: [] });
});
