import { type ChildProcess, spawn } from 'node:child_process';
import { Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Server } from 'node:net';
import { extname } from 'node:path';
import process from 'node:process';
import type { SocketAddress } from './namespace-sockets.ts';

/** A network namespace with its own resolver. */
export interface OwnNamespace {
  /** The words before a command that is to run in the namespace. */
  readonly enter: readonly string[];
  /** One for each address, in their order: bound in the namespace, held by this process. */
  readonly sockets: readonly (Server | UdpSocket)[];
  /** Leaves the namespace, which ends when no other process is in it. */
  close(): void;
}
export interface OwnNamespaceOptions {
  /** The folder for its resolv.conf and nsswitch.conf. */
  readonly folder: string;
  readonly resolver: string;
  readonly addresses: readonly SocketAddress[];
}

/**
 * Makes a network namespace with these addresses, and a mount namespace in which `resolver` is the system's resolver.
 * This needs root, or a system that allows unprivileged user namespaces. The namespace ends with this process, however
 * that ends, and with the last program that entered it. If it cannot be made, `because` is the error of the system.
 */
export async function ownNamespace(options: OwnNamespaceOptions): Promise<OwnNamespace | { readonly because: string }> {
  const child = start(options);
  const stderr: Buffer[] = [];
  child.stderr?.on('data', (piece: Buffer) => stderr.push(piece));
  const failed = once(child, 'close').then(() => Buffer.concat(stderr).toString('utf8'));
  const sockets = await Promise.race([received(child, options.addresses.length), failed]).catch(
    ({ message }: Error) => message,
  );
  if (typeof sockets === 'string')
    return { because: sockets.trim().split('\n')[0] || 'unshare ended without an error message' };
  return { enter: enterCommand(child), sockets, close: () => void (child.connected && child.disconnect()) };
}

const isRoot = process.getuid?.() === 0;

function start({ folder, resolver, addresses }: OwnNamespaceOptions): ChildProcess {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/resolv.conf`, `nameserver ${resolver}\n`);
  // Other sources, such as systemd-resolved, would resolve names outside the namespace.
  writeFileSync(`${folder}/nsswitch.conf`, 'hosts: files dns\n');
  const ownIps = new Set(addresses.map(({ address }) => address).filter((ip) => !ip.startsWith('127.')));
  const kinds = ['--net', '--mount', ...(isRoot ? [] : ['--user', '--map-root-user'])];
  const program = [process.execPath, import.meta.dirname + socketsProgram, JSON.stringify(addresses)];
  return spawn('unshare', [...kinds, 'sh', '-euc', setUpScript, folder, ...ownIps, '--', ...program], {
    // Signals from the terminal are for the serving process only.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

const socketsProgram = `/namespace-sockets${extname(import.meta.filename)}`;

/** Arguments: `$0` is the folder; then the addresses, and after `--` the program. */
const setUpScript = `
ip link set lo up
while [ "$1" != -- ]; do ip address add "$1/32" dev lo; shift; done
shift
mount --bind "$0/resolv.conf" /etc/resolv.conf
[ ! -e /etc/nsswitch.conf ] || mount --bind "$0/nsswitch.conf" /etc/nsswitch.conf
exec "$@"`;

function received(child: ChildProcess, count: number): Promise<readonly (Server | UdpSocket)[]> {
  const sockets: (Server | UdpSocket)[] = [];
  return new Promise((resolve) => {
    child.on('message', (_, socket) => {
      if (socket instanceof Server || socket instanceof UdpSocket) sockets.push(socket);
      if (sockets.length === count) resolve(sockets);
    });
  });
}

function enterCommand({ pid }: ChildProcess): readonly string[] {
  const owner = isRoot ? [] : ['--user', '--preserve-credentials'];
  return ['nsenter', `--target=${pid}`, ...owner, '--net', '--mount', '--wd=.'];
}
