/** Between which seconds the other clock is ahead of ours. */
export interface OffsetBounds {
  readonly least: number;
  readonly most: number;
}

/** Narrower than any reply on the way: 50 ms. */
const enoughSeconds = 0.05;

export const enough = ({ least, most }: OffsetBounds): boolean => most - least <= enoughSeconds;

/** What both answers allow; undefined if nothing does. */
export function narrowed(one: OffsetBounds, other: OffsetBounds): OffsetBounds | undefined {
  const both = { least: Math.max(one.least, other.least), most: Math.min(one.most, other.most) };
  return both.least <= both.most ? both : undefined;
}

/** How long to wait until the other clock's second turns over, if its offset is the middle of the bounds. Ours is in epoch milliseconds. */
export function nextAskSeconds({ least, most }: OffsetBounds, ourAt: number): number {
  const theirs = ourAt / 1000 + (least + most) / 2;
  return Math.ceil(theirs) - theirs;
}
