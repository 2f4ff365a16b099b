import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdfast } from '../../support/command-line.ts';
import { autoscaler, strong } from '../../support/own-manifests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('an application whose autoscaler wants three replicas is drained with three, and not scaled to one', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'web.yaml'),
    [...strong(), autoscaler(3, 6, 70)].map((one) => JSON.stringify(one)).join('\n---\n'),
  );
  const words = ['--scenario', 'node-drain', 'scale-down', '--no-assumptions', '--quiet', '--out', 'run'];
  holdfast(folder, ['rehearse', '-f', 'web.yaml', ...words]);
  const { scenarios } = JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'));
  const [drain, scaleDown] = ['node-drain', 'scale-down'].map((wanted) =>
    scenarios.find(({ name }: { name: string }) => name === wanted),
  );
  const ready = drain.findings.find(({ id }: { id: string }) => id === 'pods-ready');
  assert.deepEqual([drain.verdict, ready.observed], ['pass', '3 pods ready']);
  assert.equal(scaleDown.verdict, 'inconclusive');
  const journal = readFileSync(join(folder, 'run', 'journal.jsonl'), 'utf8');
  assert.doesNotMatch(journal, /"action":"scale"/);
});
