import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Says that the process is in there already. */
const inside = 'HOLDFAST_OWN_NETWORK';

/**
 * Runs a script again in namespaces of its own, with loopback and 127.0.0.1 as the name server, where all that it
 * starts ends with it. True in there.
 */
export function inOwnNetwork(script: string): boolean {
  if (process.env[inside] !== undefined) return true;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-network-'));
  writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\n');
  const enter = 'ip link set lo up && mount --bind "$1/resolv.conf" /etc/resolv.conf && shift && exec "$@"';
  const words = [
    '--net',
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
    'sh',
    '-c',
    enter,
    'sh',
    folder,
    process.execPath,
    script,
  ];
  try {
    const { status } = spawnSync('unshare', [...words, ...process.argv.slice(2)], {
      stdio: 'inherit',
      env: { ...process.env, [inside]: 'yes' },
    });
    process.exitCode = status ?? 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
  return false;
}
