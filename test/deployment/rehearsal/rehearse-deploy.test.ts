import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { rehearsalSteps } from '../../../src/deployment/rehearsal/steps.ts';
import { until } from '../support/holdfast.ts';

interface Rehearsal {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command as a process of its own, with that folder for what it throws away; `during` gets its process. */
async function rehearse(
  folder: string,
  words: readonly string[],
  path = process.env.PATH ?? '',
  during: (pid: number) => Promise<void> = async () => {},
): Promise<Rehearsal> {
  const program = join(import.meta.dirname, '../../../bin/holdfast.js');
  // A setting of a real site that must not reach the rehearsal.
  const settings = { APP_DIR: '/nowhere', HEALTH_URL: 'http://127.0.0.1:1/' };
  const cache = join(tmpdir(), 'node-compile-cache');
  const env = { PATH: path, TMPDIR: folder, NODE_COMPILE_CACHE: cache, ...settings };
  const child = spawn(process.execPath, [program, 'rehearse', 'deploy', ...words], { env, cwd: folder });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await during(child.pid ?? 0);
  return { exitCode: await ended, ...said };
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-rehearse-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('rehearse deploy shows good, broken and killed deploys as expected, and leaves nothing', async (t) => {
  const folder = emptyFolder(t);
  const { exitCode, stdout, stderr } = await rehearse(folder, []);
  assert.equal(exitCode, 0, stdout);
  const lines = stdout.trimEnd().split('\n');
  assert.equal(lines.length, rehearsalSteps.length + 1);
  assert.ok(
    lines.every((line) => line.length <= 80),
    stdout,
  );
  assert.ok(lines.slice(1).every((line) => line.endsWith(' ok')));
  assert.equal(stderr.trimEnd().split('\n').length, rehearsalSteps.length);
  assert.deepEqual(readdirSync(folder), []);
});

test('a deploy with an unexpected result is reported: exit 1, also in the JSON document', async (t) => {
  const folder = emptyFolder(t);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  // Git says that it has reset, and has not.
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh\ncase "$*" in *'reset --hard'*) exit 0;; esac\nexec /usr/bin/env -S PATH='${process.env.PATH}' git "$@"\n`,
  );
  chmodSync(join(bin, 'git'), 0o755);
  const { exitCode, stdout } = await rehearse(folder, ['--json', '--quiet'], `${bin}:${process.env.PATH}`);
  const { asExpected, steps } = JSON.parse(stdout);
  assert.equal(exitCode, 1);
  assert.equal(asExpected, false);
  assert.deepEqual(
    steps.map(({ does }: { does: string }) => does),
    rehearsalSteps.map(({ does }) => does),
  );
  assert.equal(steps[0].seen, 'aborted, exit 1, page one');
  assert.deepEqual(readdirSync(folder), ['bin']);
});

test('without git it says so in one sentence', async (t) => {
  const folder = emptyFolder(t);
  const { exitCode, stdout, stderr } = await rehearse(folder, [], folder);
  assert.equal(exitCode, 4);
  assert.equal(stdout, '');
  assert.match(stderr, /^holdfast: .*git: command not found\. Install git: it is all that this rehearsal needs\n$/);
  assert.deepEqual(readdirSync(folder), []);
});

test('stopped by a signal it leaves nothing: exit 130', async (t) => {
  const folder = emptyFolder(t);
  const { exitCode } = await rehearse(folder, [], undefined, async (pid) => {
    const hasBegun = () => readdirSync(folder).some((name) => existsSync(join(folder, name, 'deploy.log')));
    await until(hasBegun, 'the first deploy runs');
    process.kill(pid, 'SIGINT');
  });
  assert.equal(exitCode, 130);
  assert.deepEqual(readdirSync(folder), []);
});

test('there is no other rehearsal, and no flag of the other one: exit 2', async (t) => {
  const folder = emptyFolder(t);
  const { exitCode, stderr } = await rehearse(folder, ['--seed', '3']);
  assert.equal(exitCode, 2);
  assert.match(stderr, /seed/);
});
