import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { reasonOf } from '../../../src/deployment/git/reason-of.ts';
import type { DeploymentLog } from '../../../src/deployment/log/deployment-log.ts';
import { trackProgress } from '../../../src/deployment/log/progress.ts';
import { exitCode } from '../../../src/deployment/record/document.ts';
import { errorShown } from '../../../src/deployment/run/application-error.ts';
import type { Signal } from '../../../src/host/host.ts';
import { holdfast } from '../support/holdfast.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

test('the reason of a failed command is the exception that its console shows, or its last line', () => {
  const cut = ['Unable to prepare route [/] for serializati', 'on. Uses Closure.'.padEnd(43)];
  const framed = [' '.repeat(43), ...cut, ' '.repeat(43)].map((line) => `  ${line}  `).join('\n');
  const symfony = `\nIn RouteCollection.php line 917:\n${framed}\n\nroute:cache [--env]\n`;
  const collision = `\n   LogicException \n\n  Unable to prepare route [/] for serialization.\n\n  at vendor/laravel/framework/Route.php:917\n`;
  assert.equal(
    errorShown(symfony),
    'Unable to prepare route [/] for serialization. Uses Closure. at RouteCollection.php:917',
  );
  assert.equal(errorShown(collision), 'LogicException: Unable to prepare route [/] for serialization.');
  assert.equal(
    errorShown("x\nPHP Fatal error:  Class 'A' not found in /a.php on line 7\n"),
    "Class 'A' not found in /a.php on line 7",
  );
  assert.equal(errorShown('npm ERR! one\nnpm ERR! two\n\n'), 'npm ERR! two');
});

test('the reason of git is its first error, not the advice after it', () => {
  const lock =
    "error: cannot lock ref 'refs/remotes/origin/main': Unable to create '/app/.git/refs/remotes/origin/main.lock': File exists.\n ! 1..2  main -> origin/main  (unable to update local ref)\n";
  assert.match(reasonOf(lock), /^cannot lock ref .*: File exists$/);
  const unlink =
    "error: unable to unlink old 'a.php': Permission denied\nfatal: Could not reset index file to revision 'x'.\n";
  assert.equal(reasonOf(unlink), "unable to unlink old 'a.php': Permission denied");
  const ssh =
    'git@host: Permission denied (publickey).\nfatal: Could not read from remote repository.\n\nPlease make sure\n';
  assert.equal(reasonOf(ssh), 'git@host: Permission denied (publickey)');
});

test('a reset that fails says why in the log, the document and the summary', async (t) => {
  const site = await buildSite(t);
  await deploy(quietHost(), site.settings());
  site.push({ page: 'two' });
  writeFileSync(join(site.app, '.git/index.lock'), '');
  const { because } = await deploy(quietHost(), site.settings());
  assert.match(String(because), /^Git reset failed: Unable to create '\S+index\.lock': File exists$/, site.log());
  assert.match(site.log(), /^\[ERROR\] Git reset failed$/m);
});

test('BRANCH=origin/main is answered with the name that origin has', async (t) => {
  const site = await buildSite(t);
  const { exitCode: code, because } = await deploy(quietHost(), site.settings({ branch: 'origin/main' }));
  assert.equal(code, 1);
  assert.match(
    String(because),
    /couldn't find remote ref refs\/heads\/origin\/main; a branch is named as origin has it: main$/,
  );
});

test('a clear that left its file names the owner of the file', async (t) => {
  const site = await buildSite(t);
  const clear = [{ name: 'clear', command: ['true'], leaves: { absent: 'storage/old' } }];
  site.write('storage/old', '');
  const caches = { clear, rebuild: [] };
  utimesSync(join(site.app, 'storage/old'), 1, 1);
  site.push({ page: 'two' });
  const { because } = await deploy(quietHost(), site.settings({}, { caches }));
  assert.match(String(because), new RegExp(`storage/old is still there \\(owner ${userInfo().username}\\)`));
});

test('a signal after the verdict changes nothing: the exit code is the verdict’s', async () => {
  let signal: Signal | undefined;
  const log = { line: async () => {} } as unknown as DeploymentLog;
  const watch = { stepBegun: () => {}, stepFinished: () => {} };
  const progress = trackProgress(
    watch,
    log,
    () => signal,
    () => {},
  );
  const commit = 'a'.repeat(40);
  for (const type of ['fetched', 'reset'] as const) await progress.advance({ type, commit });
  await progress.advance({ type: 'health-checked', commit, status: 200 });
  signal = 'SIGTERM';
  assert.deepEqual([progress.state, progress.signal], ['verified', undefined]);
  assert.equal(exitCode('verified', progress.events, progress.signal), 0);
});

test('status takes the preset as deploy does', async (t) => {
  const site = await buildSite(t);
  assert.equal((await holdfast(site, ['status', '--preset', 'none'])).exitCode, 0);
});
