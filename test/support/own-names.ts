import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/** Names that only programs started with this prefix can resolve, by the machine's own resolver. */
export interface OwnNames {
  /** The words in front of a command. */
  readonly prefix: readonly string[];
  /** Sets the content of their /etc/hosts. */
  readonly setHosts: (text: string) => void;
}

/**
 * In a mount namespace with its own /etc/hosts, and a name server that refuses. Undefined where this machine does not
 * allow it.
 */
export function ownNames(folder: string): OwnNames | undefined {
  const [hosts, resolver] = [`${folder}/hosts`, `${folder}/resolv.conf`];
  writeFileSync(hosts, '');
  writeFileSync(resolver, 'nameserver 127.0.0.1\n');
  const mounts = `mount --bind ${hosts} /etc/hosts && mount --bind ${resolver} /etc/resolv.conf && exec "$@"`;
  const prefix = ['unshare', userInfo().uid === 0 ? '-m' : '-Urm', 'sh', '-c', mounts, 'sh'];
  if (spawnSync(prefix[0] ?? '', [...prefix.slice(1), 'true']).status !== 0) return undefined;
  return { prefix, setHosts: (text) => writeFileSync(hosts, text) };
}
