import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { comesIn, firstDeployScript, showsFirstDeploy, walkOf } from './support/walk.ts';

const root = join(import.meta.dirname, '..');

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-walk-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('the walk “A first validation” shows what its commands print', (t) => {
  const folder = temporary(t);
  const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
  const holdfast = `${process.execPath} ${join(root, 'bin/holdfast.js')}`;
  let status: number | null = 0;
  for (const { command, shown } of walkOf('docs/first-validation.md')) {
    if (command === 'npm ci') continue;
    if (command === 'echo $?') {
      assert.deepEqual(shown, [String(status)]);
      continue;
    }
    const script = `${command.replace('npx holdfast', holdfast)} 2>&1 | cat; exit \${PIPESTATUS[0]}`;
    const ran = spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
    status = ran.status;
    comesIn(command.startsWith('ls ') ? shown.join(' ').split(/\s+/) : shown, ran.stdout, command);
  }
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test('the walk “A first deploy” shows what its commands print', { skip: !hasPython && 'needs python3' }, async (t) => {
  const home = temporary(t);
  symlinkSync(root, join(home, 'clone'));
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' };
  const script = firstDeployScript(await freePort());
  const { stdout } = spawnSync('bash', ['-c', script], { cwd: join(home, 'clone'), env, encoding: 'utf8' });
  showsFirstDeploy(stdout);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
