import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertMistakes, holdfast } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('an unknown scenario names the nearest one', (t) => {
  const ran = holdfast(temporaryFolder(t), ['rehearse', '--scenario', 'scale-upp']);
  assertMistakes(ran, /^holdfast: there is no scenario scale-upp; did you mean scale-up\?$/);
});

test('an invalid number is a mistake that says what it must be', (t) => {
  const folder = temporaryFolder(t);
  for (const [words, flag, bounds] of [
    [['rehearse', '--seed', 'x'], '--seed', 'of 0 or more'],
    [['rehearse', '--nodes', '0'], '--nodes', 'from 1 to 5000'],
    [['rehearse', '--nodes', '100000000'], '--nodes', 'from 1 to 5000'],
  ] as const)
    assertMistakes(
      holdfast(folder, words),
      new RegExp(`^holdfast: ${flag} is '${words[2]}', which is not a whole number ${bounds}\\.$`),
    );
  const { stderr } = holdfast(folder, ['validate', '--repeat', '']);
  assert.match(stderr, /^holdfast: --repeat is '', which is not a whole number of 1 or more\.$/m);
});

test('a mistake names an operand as in the usage line, and a flag as typed', (t) => {
  const ran = holdfast(temporaryFolder(t), ['monitor', 'banana', '--target', 'apple']);
  assertMistakes(
    ran,
    /^holdfast: URL is 'banana', which is not an http:\/\/ or https:\/\/ address/,
    /^holdfast: --target\S* is 'apple'/,
  );
});

test('rbac prints a policy or asks the API server, not both', (t) => {
  assertMistakes(
    holdfast(temporaryFolder(t), ['rbac', '--iam', '--check']),
    /^holdfast: --iam prints a policy and --check asks/,
  );
});

test('an unknown defect and an unknown scenario are reported together', (t) => {
  const ran = holdfast(temporaryFolder(t), ['rehearse', '--scenario', 'banana', '--defect', 'banana']);
  assertMistakes(ran, /no scenario banana; known are scale-up, scale-down/, /no defect banana; known are /);
});

test('every wrong flag is named as it was typed', (t) => {
  const ran = holdfast(temporaryFolder(t), ['rehearse', '--seed', 'x', '--manifests', 'soft', '--nodes', '0']);
  assertMistakes(ran, /--seed/, /--manifests/, /--nodes/);
});

test('malformed YAML is one sentence with line and column', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'holdfast.yaml'), 'validation:\n  url: "http://x/\n');
  assertMistakes(
    holdfast(folder, ['rehearse']),
    /^holdfast: holdfast\.yaml is not valid YAML: .* at line \d+, column \d+\.$/,
  );
});

test('unknown keys are mistakes that name the nearest known key, all at once', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'holdfast.yaml'), 'validation:\n  ulr: http://x/\n  monitor: { intervall: 1s }\n');
  assertMistakes(
    holdfast(folder, ['rehearse']),
    /validation\.monitor\.intervall is not a known setting; did you mean interval\?/,
    /validation\.ulr is not a known setting; did you mean url\?/,
  );
});

test('a part that is not an object, an unresolved alias and a circular alias are mistakes', (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'holdfast.yaml');
  writeFileSync(path, 'validation: 4\ndeployment: []\n');
  assertMistakes(
    holdfast(folder, ['rehearse']),
    /^holdfast: holdfast\.yaml: validation must be an object of settings\.$/,
    /holdfast\.yaml: deployment must be an object of settings\.$/,
  );
  writeFileSync(path, 'validation: *other\n');
  assertMistakes(
    holdfast(folder, ['rehearse']),
    /holdfast\.yaml:1: no anchor &other stands before \*other in this document: .*\.$/,
  );
  writeFileSync(path, 'validation: &all { monitor: *all }\n');
  assertMistakes(
    holdfast(folder, ['rehearse']),
    /holdfast\.yaml:1: \*all stands within its own anchor: write the value itself\.$/,
  );
});

test('a missing settings file is a mistake if it was named', (t) => {
  assertMistakes(
    holdfast(temporaryFolder(t), ['--config', 'other.yaml', 'rehearse']),
    /there is no settings file other\.yaml: name another with --config, or write it with holdfast init --config other\.yaml\./,
  );
});

test('a secret in a settings file that others can read is refused', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'holdfast.yaml'),
    'deployment:\n  slackWebhookUrl: https://hooks.example.com/services/T0/B0/secret\n',
    { mode: 0o644 },
  );
  const ran = holdfast(folder, ['rehearse']);
  assertMistakes(ran, /holdfast\.yaml holds a secret, and other users can read the file/);
  assert.doesNotMatch(ran.stderr, /services/);
});

test('a mistake names a variable that is not in the environment', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'holdfast.yaml'), `validation:\n  url: \${APPLICATION_URL}\n`);
  assertMistakes(
    holdfast(folder, ['rehearse']),
    /uses \$\{APPLICATION_URL\}, but APPLICATION_URL is not set in the environment/,
  );
});

test('a downtime log that cannot be read is a mistake', (t) => {
  const folder = temporaryFolder(t);
  assertMistakes(holdfast(folder, ['analyze', 'missing.log']), /missing\.log/);
  mkdirSync(join(folder, 'folder.log'));
  assertMistakes(holdfast(folder, ['analyze', 'folder.log']), /folder\.log/);
});

test('a file that is not a downtime log is a mistake', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'letter.txt'), 'Dear reader,\nthis is no log.\n');
  assertMistakes(holdfast(folder, ['analyze', 'letter.txt']), /letter\.txt/);
});

test('a run folder that cannot be made is a mistake that says what to do', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'file'), '');
  const ran = holdfast(folder, ['rehearse', '--out', 'file/run']);
  assertMistakes(ran, /^holdfast: the run folder cannot be made: .*file\/run.*; name another folder with --out\.$/);
});

test('a run folder is refused at once in /proc, behind a dangling link, and under a name of 300 letters', (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(join(folder, 'nowhere'), join(folder, 'astray'));
  writeFileSync(join(folder, 'file'), '');
  for (const [out, because] of [
    ['/proc/holdfast/run', /no such file or folder \(ENOENT\)/],
    ['astray', /something else is there already \(EEXIST\)/],
    ['astray/run', /something else is there already \(EEXIST\)/],
    ['file', /something else is there already \(EEXIST\)/],
    ['x'.repeat(300), /a name in the path is too long \(ENAMETOOLONG\)/],
  ] as const) {
    const ran = holdfast(folder, ['rehearse', '--out', out]);
    assertMistakes(ran, /^holdfast: the run folder cannot be made: .*; name another folder with --out\.$/);
    assert.match(ran.stderr, because);
  }
  assertMistakes(holdfast(folder, ['rehearse', '--out', '']), /^holdfast: --out is '', which names no folder\.$/);
});

test('a run folder that already holds a run is reported together with other mistakes', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'out/2'), { recursive: true });
  writeFileSync(join(folder, 'out/2/journal.jsonl'), '');
  const words = ['--repeat', '2', '--out', 'out', '--yes', '--allow-terminate', '--scenario', 'banana'];
  assertMistakes(
    holdfast(folder, ['validate', ...words]),
    /no scenario banana/,
    /out\/2 already holds a run/,
    /kubeconfig/,
  );
  const ran = holdfast(folder, ['rehearse', '--out', 'out/2', '--seed', 'x']);
  assertMistakes(ran, /--seed/, /out\/2 already holds a run/);
});

test('a folder without a run is a mistake', (t) => {
  assertMistakes(holdfast(temporaryFolder(t), ['report', '.']), /is not a run folder/);
});

test('a directory that is not a git checkout is a mistake', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'app'));
  const env = {
    APP_DIR: join(folder, 'app'),
    BRANCH: 'main',
    LOG_FILE: join(folder, 'deploy.log'),
    HEALTH_URL: 'http://127.0.0.1:9/',
  };
  const { status, stderr } = holdfast(folder, ['deploy', '--quiet'], env);
  assert.equal(status, 2, stderr);
  assert.doesNotMatch(stderr, /\n\s+at /);
});

test('a deployment log that cannot be written is a mistake', (t) => {
  const folder = temporaryFolder(t);
  const env = {
    APP_DIR: folder,
    BRANCH: 'main',
    LOG_FILE: join(folder, 'no/such/folder/deploy.log'),
    HEALTH_URL: 'http://127.0.0.1:9/',
  };
  assertMistakes(holdfast(folder, ['deploy'], env), /The deployment log cannot be written/);
});

test('no HEALTH_URL is a mistake, and so is every other setting that is missing', (t) => {
  const ran = holdfast(temporaryFolder(t), ['deploy']);
  assertMistakes(
    ran,
    /appDir is missing/,
    /branch is missing/,
    /logFile is missing/,
    /healthUrl is missing.*--variant basic/,
  );
});

test('an unknown command, an unknown flag and a missing argument are mistakes', (t) => {
  const folder = temporaryFolder(t);
  assertMistakes(holdfast(folder, ['rehears']), /unknown command 'rehears'.*rehearse/);
  assertMistakes(holdfast(folder, ['rehearse', '--sede', '3']), /unknown option '--sede'.*--seed/);
  assertMistakes(
    holdfast(folder, ['plan', '--xyzzy']),
    /^holdfast: unknown option '--xyzzy': holdfast plan --help lists those that it has\.$/,
  );
  assertMistakes(holdfast(folder, ['analyze']), /LOG is missing: holdfast analyze --help says what it is\.$/);
  assertMistakes(holdfast(folder, []), /a command is missing/);
});

test('global flags may stand before and after the command: with --json the mistakes are a document too', (t) => {
  const folder = temporaryFolder(t);
  for (const words of [
    ['--json', 'analyze', 'x.log', 'y.log'],
    ['analyze', 'x.log', 'y.log', '--json'],
  ]) {
    const { stdout, ...ran } = holdfast(folder, words);
    const { mistakes } = JSON.parse(stdout) as { mistakes: readonly string[] };
    assert.deepEqual(
      mistakes.map((mistake) => `holdfast: ${mistake}`),
      ran.stderr.trimEnd().split('\n'),
    );
    assertMistakes({ ...ran, stdout: '' }, ...mistakes.map(() => /[xy]\.log/));
  }
});
