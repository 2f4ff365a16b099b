import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertMistakes, holdfast } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a folder instead of a file is a mistake that says what to name', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'DIR'));
  for (const [words, sentence] of [
    [['--config', 'DIR', 'rehearse'], /the settings cannot be read: .*DIR.*; name another file with --config\./],
    [['audit', '-f', 'DIR'], /DIR cannot be read: it is a folder \(EISDIR\); name a file with -f\./],
    [
      ['precheck', '--kubeconfig', 'DIR'],
      /the kubeconfig DIR cannot be read: it is a folder .*; name another one with --kub/,
    ],
    [
      ['rehearse', '--listen', '--out', 'holdfast.yaml'],
      /the kubeconfig cannot be written: .*; name another folder with --out\./,
    ],
  ] as const) {
    writeFileSync(join(folder, 'holdfast.yaml'), '');
    assertMistakes(holdfast(folder, words), sentence);
  }
});

test('YAML that is not a kubeconfig is a mistake that says so', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'empty'), '# nothing yet\n');
  writeFileSync(join(folder, 'null'), 'null\n');
  writeFileSync(join(folder, 'torn'), '{');
  assertMistakes(holdfast(folder, ['precheck', '--kubeconfig', 'empty']), /empty is not a kubeconfig: it is empty\./);
  assertMistakes(
    holdfast(folder, ['precheck', '--kubeconfig', 'null']),
    /null is not a kubeconfig: it has no clusters, users and contexts\./,
  );
  assertMistakes(
    holdfast(folder, ['precheck', '--kubeconfig', 'torn']),
    /torn is not a kubeconfig: it is not valid YAML\./,
  );
});

test('a run whose journal is a folder cannot be reported', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'run/journal.jsonl'), { recursive: true });
  assertMistakes(holdfast(folder, ['report', 'run']), /the run cannot be read: .*; name another run folder\./);
});

test('a truncated world.json is a mistake that names the file, not a defect of the program', (t) => {
  const folder = temporaryFolder(t);
  const rehearsed = holdfast(folder, [
    ...['rehearse', '--defect', 'api-lost-during-undo', '--scenario', 'node-drain'],
    ...['--out', 'run', '--quiet'],
  ]);
  assert.equal(rehearsed.status, 5, rehearsed.stderr);
  writeFileSync(join(folder, 'run/world.json'), '{"at": 17');
  assertMistakes(
    holdfast(folder, ['recover', 'run']),
    /run\/world\.json is not JSON: the embedded cluster cannot be loaded from it\./,
  );
});

test('reports that cannot be written do not hide the verdict: a pass becomes exit 4, and exit 5 stays exit 5', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'passed/report.html'), { recursive: true });
  const passed = holdfast(folder, ['rehearse', '--scenario', 'single-replica', '--out', 'passed', '--quiet']);
  assert.equal(passed.status, 4, passed.stderr);
  assert.match(passed.stdout, /^PASS \(partial\)/m);
  assert.match(passed.stderr, /^holdfast: Writing passed\/report\.html: .*holdfast report passed$/m);
  mkdirSync(join(folder, 'left/world.json'), { recursive: true });
  const left = holdfast(folder, [
    ...['rehearse', '--defect', 'api-lost-during-undo', '--scenario', 'node-drain'],
    ...['--out', 'left', '--quiet'],
  ]);
  assert.equal(left.status, 5, left.stderr);
  assert.match(left.stdout, /NOT UNDONE/);
  assert.match(
    left.stderr,
    /^holdfast: recover will have no cluster, because it could not be saved: Writing left\/world\.json/m,
  );
});

test('recover exits 1 if a line of the journal is damaged, because it may have been an action', (t) => {
  const folder = temporaryFolder(t);
  assert.equal(holdfast(folder, ['rehearse', '--scenario', 'single-replica', '--out', 'run', '--quiet']).status, 0);
  const path = join(folder, 'run/journal.jsonl');
  const lines = readFileSync(path, 'utf8').split('\n');
  assert.equal(holdfast(folder, ['recover', 'run']).status, 0);
  const intended = lines.findIndex((line) => line.includes('"action-intended"'));
  writeFileSync(path, lines.with(intended, '{"at":"2026').join('\n'));
  const ran = holdfast(folder, ['recover', 'run']);
  assert.equal(ran.status, 1, 'a problem found');
  assert.match(ran.stdout, /a line of it is damaged and may have been an action: compare the cluster with the report/);
});
