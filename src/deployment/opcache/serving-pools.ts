import type { Files } from '../../host/host.ts';
import type { RunningPool } from './find-pools.ts';
import type { Pass } from './nginx-configuration.ts';

export interface SortedPools {
  readonly ours: readonly RunningPool[];
  /** Pools for which the configuration names neither these folders nor others. */
  readonly unknown: readonly RunningPool[];
  /** Web servers hand them requests for other folders only. */
  readonly elsewhere: readonly RunningPool[];
}

/**
 * Sorts the pools by what the configuration proves. Ours: a web server hands them requests for a folder inside one of
 * these folders, or their own section names one.
 */
export async function servingPools(
  files: Files,
  pools: readonly RunningPool[],
  folders: readonly string[],
  passes: readonly Pass[],
): Promise<SortedPools> {
  const isOurs = async (path: string): Promise<boolean> => {
    const paths = [path, await realPath(files, path)];
    return folders.some((folder) => paths.some((each) => each === folder || each.startsWith(`${folder}/`)));
  };
  const addresses = new Set<string>();
  const elsewhere = new Set<string>();
  const open = new Set<string>();
  for (const { roots, address } of passes) {
    const ours = await Promise.all(roots.map(isOurs));
    const same = await sameAddress(files, address);
    if (ours.includes(true)) addresses.add(same);
    else if (roots.length > 0) elsewhere.add(same);
    else open.add(same);
  }
  const sorted = await Promise.all(
    pools.map(async (pool) => {
      const named = await Promise.all(pool.folders.map(isOurs));
      const same = await sameAddress(files, pool.listen);
      if (named.includes(true) || addresses.has(same)) return 'ours';
      return elsewhere.has(same) && !open.has(same) ? 'elsewhere' : 'unknown';
    }),
  );
  const those = (kind: (typeof sorted)[number]) => pools.filter((_, index) => sorted[index] === kind);
  return { ours: those('ours'), unknown: those('unknown'), elsewhere: those('elsewhere') };
}

/** The only pool of a machine needs no proof if the checkout has something for it to serve. */
export function withOnlyPool({ ours, unknown, elsewhere }: SortedPools): SortedPools {
  const isOnly = ours.length + unknown.length + elsewhere.length === 1;
  return isOnly ? { ours: [...ours, ...unknown], unknown: [], elsewhere } : { ours, unknown, elsewhere };
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
