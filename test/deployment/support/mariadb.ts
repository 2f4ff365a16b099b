import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { needs } from '../../support/needs.ts';
import { until } from './holdfast.ts';

/** Whether it is on this machine; without it the test is skipped, visibly. */
export function needsMariaDb(t: TestContext): boolean {
  return needs(t, 'mariadbd') && needs(t, 'mariadb');
}

/** A MariaDB of the test's own. */
export interface MariaDb {
  readonly socket: string;
  /** Runs statements as its administrator; the rows of their answers, without a head. */
  readonly sql: (statements: string) => string;
}

export async function startMariaDb(t: TestContext, folder: string): Promise<MariaDb> {
  const data = join(folder, 'mysql');
  const socket = join(folder, 'mysql.sock');
  const user = `--user=${userInfo().username}`;
  const root = ['--no-defaults', user, `--datadir=${data}`, '--auth-root-authentication-method=normal'];
  execFileSync('mariadb-install-db', [...root, '--skip-test-db'], { stdio: 'ignore' });
  const words = ['--no-defaults', user, `--datadir=${data}`, `--socket=${socket}`, '--skip-networking'];
  const server = spawn('/usr/sbin/mariadbd', words, { stdio: 'ignore' });
  t.after(async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  });
  await until(() => existsSync(socket), 'MariaDB answers');
  const client = ['--no-defaults', `--socket=${socket}`, '-uroot', '-N', '-e'];
  return {
    socket,
    sql: (statements) => execFileSync('mariadb', [...client, statements], { encoding: 'utf8' }).trim(),
  };
}
