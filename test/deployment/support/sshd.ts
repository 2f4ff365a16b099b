import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '../../support/free-port.ts';
import { whereIs } from '../../support/needs.ts';

/** An sshd on loopback that lets the present user in with a key of its own. */
export interface Sshd {
  readonly port: number;
  /** The user's private key. */
  readonly key: string;
  readonly knownHosts: string;
  /** Its process: the parent of those of the connections. */
  readonly pid: number;
}

/** Its files go into the folder; it ends with the test. */
export async function startSshd(t: TestContext, folder: string): Promise<Sshd> {
  const inFolder = (name: string) => join(folder, name);
  for (const name of ['host-key', 'user-key'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', inFolder(name)]);
  copyFileSync(inFolder('user-key.pub'), inFolder('authorized'));
  chmodSync(inFolder('authorized'), 0o600);
  const port = await freePort();
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
  writeFileSync(
    inFolder('sshd_config'),
    `Port ${port}\nListenAddress 127.0.0.1\nHostKey ${inFolder('host-key')}\nAuthorizedKeysFile ${inFolder('authorized')}\nStrictModes no\nPasswordAuthentication no\nUsePAM no\nPermitRootLogin prohibit-password\nPidFile none\n`,
  );
  const sshd = spawn(whereIs('sshd') ?? '', ['-D', '-f', inFolder('sshd_config'), '-E', inFolder('sshd.log')], {
    stdio: 'ignore',
  });
  t.after(() => sshd.kill());
  const hostKey = readFileSync(inFolder('host-key.pub'), 'utf8').split(' ').slice(0, 2).join(' ');
  writeFileSync(inFolder('known-hosts'), `[127.0.0.1]:${port} ${hostKey}\n`);
  let open = false;
  for (let tries = 0; !open && tries < 200; tries++) {
    open = await isListening(port);
    if (!open) await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return { port, key: inFolder('user-key'), knownHosts: inFolder('known-hosts'), pid: sshd.pid ?? 0 };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
