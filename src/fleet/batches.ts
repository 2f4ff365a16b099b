import type { BatchSize } from '../deployment/settings/servers.ts';

/** The servers in batches of these sizes, in their order; the last size holds until none is left. A percentage is of all servers, rounded down, at least one. */
export function batchesOf<T>(servers: readonly T[], sizes: readonly BatchSize[]): readonly (readonly T[])[] {
  const batches: (readonly T[])[] = [];
  let begun = 0;
  while (begun < servers.length) {
    const size = sizes[Math.min(batches.length, sizes.length - 1)] ?? { servers: 1 };
    const count = sizeIn(size, servers.length);
    batches.push(servers.slice(begun, begun + count));
    begun += count;
  }
  return batches;
}

function sizeIn(size: BatchSize, all: number): number {
  return 'servers' in size ? size.servers : Math.max(1, Math.floor((size.percent * all) / 100));
}
