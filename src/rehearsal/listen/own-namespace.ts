import { type ChildProcess, spawn } from 'node:child_process';
import { Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Server } from 'node:net';
import { extname } from 'node:path';
import process from 'node:process';
import type { Place } from './namespace-sockets.ts';

/** A network namespace with its own resolver. */
export interface OwnNamespace {
  /** The words before a command that is to run in it. */
  readonly enter: readonly string[];
  /** One for each place, in their order: bound there, and held here. */
  readonly sockets: readonly (Server | UdpSocket)[];
  /** It ends when nobody is in it any more. */
  close(): void;
}
export interface OwnNamespaceOptions {
  /** Where its resolv.conf and nsswitch.conf are put. */
  readonly folder: string;
  readonly resolver: string;
  readonly places: readonly Place[];
}

/**
 * Makes a network namespace that has the addresses of these places, and a mount namespace where `resolver` is the system's: as root, and as
 * anybody else where unprivileged user namespaces are allowed. It ends with this process, however that ends, and with the last program
 * that entered it. Where it cannot be made, the answer says what the system said.
 */
export async function ownNamespace(options: OwnNamespaceOptions): Promise<OwnNamespace | { readonly because: string }> {
  const child = start(options);
  const said: Buffer[] = [];
  child.stderr?.on('data', (piece: Buffer) => said.push(piece));
  const failed = once(child, 'close').then(() => Buffer.concat(said).toString('utf8'));
  const sockets = await Promise.race([received(child, options.places.length), failed]).catch(
    ({ message }: Error) => message,
  );
  if (typeof sockets === 'string') return { because: sockets.trim().split('\n')[0] || 'it ended without a word' };
  return { enter: entering(child), sockets, close: () => void (child.connected && child.disconnect()) };
}

const isRoot = process.getuid?.() === 0;

function start({ folder, resolver, places }: OwnNamespaceOptions): ChildProcess {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/resolv.conf`, `nameserver ${resolver}\n`);
  // Other sources, such as a running systemd-resolved, would ask outside.
  writeFileSync(`${folder}/nsswitch.conf`, 'hosts: files dns\n');
  const addresses = new Set(places.map(({ address }) => address).filter((address) => !address.startsWith('127.')));
  const kinds = ['--net', '--mount', ...(isRoot ? [] : ['--user', '--map-root-user'])];
  const program = [process.execPath, import.meta.dirname + socketsProgram, JSON.stringify(places)];
  return spawn('unshare', [...kinds, 'sh', '-euc', making, folder, ...addresses, '--', ...program], {
    // A signal from the terminal is for the one that serves.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

const socketsProgram = `/namespace-sockets${extname(import.meta.filename)}`;

/** `$0` is the folder; then come the addresses, and after `--` the program. */
const making = `
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

function entering({ pid }: ChildProcess): readonly string[] {
  const owner = isRoot ? [] : ['--user', '--preserve-credentials'];
  return ['nsenter', `--target=${pid}`, ...owner, '--net', '--mount', '--wd=.'];
}
