import type { Files } from '../../host/host.ts';
import type { RunningPool } from './find-pools.ts';
import type { Pass } from './nginx-configuration.ts';

/**
 * Those of the pools that the configuration proves to serve one of these folders: a web server hands them requests for a
 * folder inside it, or their own section names one. The only pool of a machine needs no proof.
 */
export async function servingPools(
  files: Files,
  pools: readonly RunningPool[],
  folders: readonly string[],
  findPasses: (files: Files) => Promise<readonly Pass[]>,
): Promise<readonly RunningPool[]> {
  if (pools.length <= 1) return pools;
  const isOurs = async (path: string): Promise<boolean> => {
    const paths = [path, await realPath(files, path)];
    return folders.some((folder) => paths.some((each) => each === folder || each.startsWith(`${folder}/`)));
  };
  const addresses = new Set<string>();
  for (const { roots, address } of await findPasses(files)) {
    const ours = await Promise.all(roots.map(isOurs));
    if (ours.includes(true)) addresses.add(await sameAddress(files, address));
  }
  const proven = await Promise.all(
    pools.map(async (pool) => {
      const named = await Promise.all(pool.folders.map(isOurs));
      return named.includes(true) || addresses.has(await sameAddress(files, pool.listen));
    }),
  );
  return pools.filter((_, index) => proven[index]);
}

/** Two notations of one address are the same text: a socket's real path, a port of this machine. */
async function sameAddress(files: Files, address: string): Promise<string> {
  if (address.startsWith('/')) return realPath(files, address);
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, Math.max(0, colon)).replace(/^\[|\]$/g, '');
  const isThisMachine = ['', '*', '0.0.0.0', '::', '::1', 'localhost'].includes(host) || host.startsWith('127.');
  return isThisMachine ? address.slice(colon + 1) : address;
}

async function realPath(files: Files, path: string): Promise<string> {
  return (await files.realPath(path).catch(() => undefined)) ?? path;
}
