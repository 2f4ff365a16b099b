import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { accepts } from './accepts.ts';
import { freePort } from './free-port.ts';
import { whereIs } from './needs.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A real forward proxy, Debian's tinyproxy, on a port of loopback. */
export interface ForwardProxy {
  readonly url: string;
  /** What it was asked for, a line each: `CONNECT host:port` or `GET address`. */
  readonly requests: () => readonly string[];
}

/** With `user`, `name:password`, it wants them. */
export async function forwardProxy(t: TestContext, user?: string): Promise<ForwardProxy> {
  const folder = temporaryFolder(t);
  const port = await freePort();
  const log = `${folder}/log`;
  const lines = [`Port ${port}`, 'Listen 127.0.0.1', `LogFile "${log}"`, 'LogLevel Connect', 'MaxClients 50'];
  if (user !== undefined) lines.push(`BasicAuth ${user.replace(':', ' ')}`);
  writeFileSync(log, '');
  writeFileSync(`${folder}/tinyproxy.conf`, `${lines.join('\n')}\n`);
  const child = spawn(whereIs('tinyproxy') ?? 'tinyproxy', ['-d', '-c', `${folder}/tinyproxy.conf`], {
    stdio: 'ignore',
  });
  t.after(async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.kill('SIGKILL')) await gone;
  });
  const endsAt = Date.now() + 20_000;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || Date.now() > endsAt) throw new Error(`tinyproxy: ${readFileSync(log, 'utf8')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const request = /Request \(file descriptor \d+\): (\S+ \S+) HTTP/;
  return {
    url: `http://${user === undefined ? '' : `${user}@`}127.0.0.1:${port}`,
    requests: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .flatMap((line) => request.exec(line)?.[1] ?? []),
  };
}
