import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Deployment } from '../../../src/cluster/resources.ts';
import { holdfast } from '../../support/command-line.ts';
import { strong } from '../../support/own-manifests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function rolledOut(t: TestContext, change: Partial<Deployment['spec']>) {
  const folder = temporaryFolder(t);
  const [web, ...rest] = strong() as readonly [Deployment, ...object[]];
  const all = [{ ...web, spec: { ...web.spec, ...change } }, ...rest];
  writeFileSync(join(folder, 'web.yaml'), all.map((one) => JSON.stringify(one, null, 1)).join('\n---\n'));
  const words = ['--scenario', 'rollout', '--no-assumptions', '--quiet', '--out', 'run'];
  const { status, stderr } = holdfast(folder, ['rehearse', '-f', 'web.yaml', ...words]);
  const { furtherScenarios, undo } = JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'));
  const [row] = furtherScenarios;
  return { status, stderr, row, undo };
}

test('a rolling update of a careful application loses nothing; with Recreate it is an outage, with its line', (t) => {
  const careful = rolledOut(t, { strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } });
  assert.equal(careful.status, 0, careful.stderr);
  assert.equal(careful.row.verdict, 'pass');
  assert.deepEqual([careful.row.downtime.bad, careful.undo[0].state], [0, 'undone']);
  const recreated = rolledOut(t, { strategy: { type: 'Recreate' } });
  assert.equal(recreated.status, 1, recreated.stderr);
  const { observed, advice, at } = recreated.row.findings.find(({ id }: { id: string }) => id === 'no-downtime');
  assert.match(`${observed} ${advice}`, /of downtime.*Recreate/);
  assert.equal(at.field, 'spec.strategy');
});

test('pods that become ready later than progressDeadlineSeconds fail the rolling update, which ends all the same', (t) => {
  const { status, stderr, row } = rolledOut(t, { progressDeadlineSeconds: 3 });
  assert.equal(status, 1, stderr);
  const errors = row.findings.filter(({ severity }: { severity: string }) => severity === 'error');
  assert.deepEqual(
    errors.map(({ id, observed }: { id: string; observed: string }) => [id, observed]),
    [['progress-deadline', 'ProgressDeadlineExceeded']],
  );
});
