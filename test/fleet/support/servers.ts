import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Ended, type Running, startProgram } from '../../deployment/support/holdfast.ts';
import { buildSite, type Site } from '../../deployment/support/site.ts';
import { type Sshd, startSshd } from '../../deployment/support/sshd.ts';

/** A server on loopback: an sshd of its own, a site, and a program that only its settings file tells of the site. */
export interface TestServer {
  /** Its `Host` in the configuration of ssh. */
  readonly name: string;
  readonly site: Site;
  readonly sshd: Sshd;
  /** Ends its connections as a network that is cut: the programs that run there are not told. */
  readonly cutConnections: () => void;
}

export interface TestFleet {
  readonly folder: string;
  readonly servers: readonly TestServer[];
  /** The words of the command after the program, for all servers. */
  readonly words: (...words: readonly string[]) => readonly string[];
  readonly start: (...words: readonly string[]) => Running;
  readonly run: (...words: readonly string[]) => Promise<Ended>;
  /** The same commit for all of them. */
  readonly push: (files: Readonly<Record<string, string | null>>, branch?: string) => string;
}

const program = fileURLToPath(new URL('../../../bin/holdfast.js', import.meta.url));

/** Servers `web1`, `web2`, … whose checkouts have the first one's remote. */
export async function buildFleet(t: TestContext, count: number): Promise<TestFleet> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-fleet-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const servers: TestServer[] = [];
  for (let index = 1; index <= count; index++) servers.push(await buildServer(t, `web${index}`, servers[0]?.site));
  const at = (name: string) => join(folder, name);
  writeFileSync(at('ssh_config'), servers.map(sshConfiguration).join(''));
  writeFileSync(
    at('hosts'),
    servers
      .map(({ name, site }) => `${name} program=${site.folder}/holdfast config=${site.folder}/holdfast.yaml\n`)
      .join(''),
  );
  const environment = { PATH: process.env.PATH ?? '', HOME: folder };
  const words = (...given: readonly string[]) => [
    ...given,
    '--hosts',
    at('hosts'),
    '--ssh-command',
    `ssh -F ${at('ssh_config')}`,
  ];
  const start = (...given: readonly string[]) =>
    startProgram(folder, [process.execPath, program, ...words(...given)], environment);
  return {
    folder,
    servers,
    words,
    start,
    run: (...given) => start(...given).ended,
    push: (files, branch) => servers[0]?.site.push(files, branch) ?? '',
  };
}

async function buildServer(t: TestContext, name: string, first: Site | undefined): Promise<TestServer> {
  const site = await buildSite(t);
  if (first !== undefined) {
    site.git(site.app, 'remote', 'set-url', 'origin', first.remote);
    site.git(site.app, 'fetch', '--quiet', 'origin');
    site.git(site.app, 'reset', '--quiet', '--hard', 'origin/main');
  }
  const sshd = await startSshd(t, site.folder);
  const deployment = {
    appDir: site.app,
    branch: 'main',
    logFile: site.logFile,
    healthUrl: site.healthUrl,
    opcache: { wait: '0s' },
  };
  writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify({ deployment }));
  const { PATH, HOME } = site.environment;
  const script = `#!/bin/sh\nexport PATH='${PATH}' HOME='${HOME}'\nexec '${process.execPath}' '${program}' "$@"\n`;
  writeFileSync(join(site.folder, 'holdfast'), script);
  chmodSync(join(site.folder, 'holdfast'), 0o755);
  return { name, site, sshd, cutConnections: () => cutConnections(sshd) };
}

/**
 * The processes of sshd for a connection: its children, and with privilege separation theirs. The program there has
 * another name.
 */
function cutConnections({ pid }: Sshd): void {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' }).trim().split('\n');
  const processes = rows.map((row) => row.trim().split(/\s+/)).filter(([, , name = '']) => name.startsWith('sshd'));
  const children = (parent: number): readonly number[] =>
    processes
      .filter(([, of]) => Number(of) === parent)
      .flatMap(([child]) => [Number(child), ...children(Number(child))]);
  for (const child of children(pid)) end(child);
}

function sshConfiguration({ name, sshd }: TestServer): string {
  const options = [
    'HostName 127.0.0.1',
    `Port ${sshd.port}`,
    `IdentityFile ${sshd.key}`,
    'IdentitiesOnly yes',
    `UserKnownHostsFile ${sshd.knownHosts}`,
    'StrictHostKeyChecking yes',
  ];
  return `Host ${name}\n${options.map((option) => `  ${option}\n`).join('')}`;
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended with its parent.
  }
}
