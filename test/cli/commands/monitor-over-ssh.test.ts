import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startSshd } from '../../deployment/support/sshd.ts';
import { answering } from '../../support/loopback-server.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const holdfast = join(import.meta.dirname, '../../../bin/holdfast.js');

const eventually = async (isSo: () => boolean, what: string): Promise<void> => {
  for (let tries = 0; tries < 1000 && !isSo(); tries++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(isSo(), what);
};

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

test('a monitor whose log goes over ssh ends when the reader has ended, or the connection', async (t) => {
  if (!needs(t, 'sshd') || !needs(t, 'ssh')) return;
  const folder = temporaryFolder(t);
  const { port, key, knownHosts } = await startSshd(t, folder);
  const url = await answering(t, (_, response) => response.end('ok'));
  for (const signal of ['SIGPIPE', 'SIGKILL'] as const) {
    const [pid, script] = [join(folder, `${signal}.pid`), join(folder, `${signal}.sh`)];
    writeFileSync(
      script,
      `echo $$ >${pid}; exec ${process.execPath} ${holdfast} monitor ${url} --quiet --log - --interval 100ms\n`,
    );
    const options = ['-F', 'none', '-i', key, '-o', `UserKnownHostsFile=${knownHosts}`, '-p', String(port)];
    const ssh = spawn('ssh', [...options, '127.0.0.1', `sh ${script}`], { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => ssh.kill('SIGKILL'));
    await once(ssh.stdout, 'data');
    const monitor = Number(readFileSync(pid, 'utf8'));
    assert.ok(isRunning(monitor));
    if (signal === 'SIGPIPE') ssh.stdout.destroy();
    else ssh.kill(signal);
    await eventually(() => !isRunning(monitor), `${signal}: the monitor goes on`);
  }
});
