import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { holdfast } from '../../support/command-line.ts';
import { budget, strong } from '../../support/own-manifests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const label = { 'app.kubernetes.io/name': 'shop' };

function rehearsed(t: TestContext, all: readonly object[], scenario: string) {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'web.yaml'), all.map((one) => JSON.stringify(one, null, 1)).join('\n---\n'));
  const words = ['--scenario', scenario, '--no-assumptions', '--quiet', '--out', 'run'];
  const { status, stderr } = holdfast(folder, ['rehearse', '-f', 'web.yaml', ...words]);
  const report = JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'));
  const lines = readFileSync(join(folder, 'web.yaml'), 'utf8').split('\n');
  return { status, stderr, report, lines };
}

test('a drain that a budget refuses for ever fails, with the budget’s numbers and line', (t) => {
  const never = { ...budget(label), spec: { maxUnavailable: 0, selector: { matchLabels: label } } };
  const { status, stderr, report, lines } = rehearsed(t, [...strong().slice(0, 3), never], 'node-drain');
  assert.equal(status, 1, stderr);
  const { verdict, findings } = report.scenarios.find(({ name }: { name: string }) => name === 'node-drain');
  assert.equal(verdict, 'fail');
  const blocked = findings.find(({ id }: { id: string }) => id === 'blocked');
  assert.match(blocked.observed, /keep-one \(maxUnavailable 0\) keeps 2 of 2 pods/);
  assert.match(lines[blocked.at.line - 1] ?? '', /"maxUnavailable": 0/);
  assert.deepEqual(blocked.because, {
    kind: 'PodDisruptionBudget',
    name: 'keep-one',
    field: 'spec.maxUnavailable',
    at: blocked.at,
  });
  const [, second] = report.criteria;
  assert.equal(second.outcome, 'not-met', second.because);
});

test('pods that tolerate no taint of their pool stop the run by the name of the taint, not of the system nodes’', (t) => {
  const pool = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'apps' },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }],
          taints: [{ key: 'team', value: 'shop', effect: 'NoSchedule' }],
        },
      },
    },
  };
  const { status, report, lines } = rehearsed(t, [...strong(), pool], 'node-drain');
  assert.equal(status, 3);
  const found = report.findings.find(({ id }: { id: string }) => id === 'application');
  assert.match(found.observed, /NodePool apps has the taint team=shop:NoSchedule/);
  assert.doesNotMatch(found.observed, /CriticalAddonsOnly/);
  assert.match(lines[found.at.line - 1] ?? '', /"taints"/);
});
