import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdfast } from '../../support/command-line.ts';
import { autoscaler, strong } from '../../support/own-manifests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('an application with an autoscaler passes: it is drained as it is, and scaled while the autoscaler is paused', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'web.yaml'),
    [...strong(), autoscaler(3, 6, 70)].map((one) => JSON.stringify(one)).join('\n---\n'),
  );
  const words = ['--scenario', 'node-drain', 'scale-up', 'scale-down', '--no-assumptions', '--quiet', '--out', 'run'];
  holdfast(folder, ['rehearse', '-f', 'web.yaml', ...words]);
  const { scenarios, undo } = JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'));
  const [drain, ...scaling] = ['node-drain', 'scale-up', 'scale-down'].map((wanted) =>
    scenarios.find(({ name }: { name: string }) => name === wanted),
  );
  const ready = drain.findings.find(({ id }: { id: string }) => id === 'pods-ready');
  assert.deepEqual([drain.verdict, ready.observed], ['pass', '3 pods ready']);
  assert.deepEqual(
    scaling.map(({ verdict }) => verdict),
    ['pass', 'pass'],
  );
  const pauses = undo.filter(({ action }: { action: string }) => action === 'pause-autoscaler');
  assert.ok(pauses.length >= scaling.length, 'one for each');
  assert.ok(pauses.every(({ state }: { state: string }) => state === 'undone'));
});
