import type { SliceDigest } from './digest.ts';

/** Pure. How many endpoints of a Service are ready. One of two address families has each of its endpoints once in both. */
export function readyIn(slices: Iterable<SliceDigest>): number {
  const families = new Map<string, number>();
  for (const { addressType = 'IPv4', ready } of slices)
    families.set(addressType, (families.get(addressType) ?? 0) + ready);
  return Math.max(0, ...families.values());
}
