import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { needs } from '../../support/needs.ts';
import { programOf, until } from './holdfast.ts';
import type { Site } from './site.ts';
import { type Sshd, startSshd } from './sshd.ts';

/** The program in a terminal at the other end of an SSH connection. */
export interface OverSsh {
  /** Kills the client: the server sees the connection end, and closes the terminal. */
  readonly loseConnection: () => void;
  /** Resolves when the kernel has hung up: the leader of the session has ended. */
  readonly terminalIsClosed: () => Promise<void>;
  /** Resolves when the program has ended, which nobody can ask for its exit code any more. */
  readonly ended: () => Promise<void>;
}

/** Whether an SSH server and client are here; without them the test is skipped, visibly. */
export function needsSsh(t: TestContext): boolean {
  return needs(t, 'sshd') && needs(t, 'ssh') && needs(t, 'ssh-keygen');
}

/** An sshd of its own on loopback, for one site. */
export async function sshTo(t: TestContext, site: Site): Promise<(words: readonly string[]) => Promise<OverSsh>> {
  const sshd = await startSshd(t, site.folder);
  return (words) => startOverSsh(sshd, site, words);
}

async function startOverSsh(sshd: Sshd, site: Site, words: readonly string[]): Promise<OverSsh> {
  const { command, environment } = programOf(site, words);
  const [script, pidFile] = [join(site.folder, 'over-ssh'), join(site.folder, 'over-ssh.pid')];
  rmSync(pidFile, { force: true });
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}`);
  const start = [
    `cd ${quoted(site.folder)}`,
    `echo $PPID $$ > ${quoted(pidFile)}`,
    `exec ${command.map(quoted).join(' ')}`,
  ];
  writeFileSync(script, `${[...exports, ...start].join('\n')}\n`);
  const options = ['IdentitiesOnly=yes', `UserKnownHostsFile=${sshd.knownHosts}`, 'StrictHostKeyChecking=yes'];
  const login = ['-tt', '-F', '/dev/null', '-i', sshd.key, '-p', String(sshd.port)];
  const to = `${userInfo().username}@127.0.0.1`;
  // Not the last command, so the login shell stays the leader of the session, as it does for a person.
  const remote = `sh ${quoted(script)}; true`;
  const client = spawn('ssh', [...login, ...options.flatMap((option) => ['-o', option]), to, remote], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'), 'the program is started');
  const [leader, pid] = readFileSync(pidFile, 'utf8').trim().split(' ');
  return {
    loseConnection: () => void client.kill('SIGKILL'),
    terminalIsClosed: () => until(() => !existsSync(`/proc/${leader}`), 'the terminal is closed'),
    ended: () => until(() => !existsSync(`/proc/${pid}`), 'the program has ended'),
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
