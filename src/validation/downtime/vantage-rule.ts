/** Down when any prober is, when all are, or when more than half of them are. */
export const vantageRules = ['any', 'all', 'most'] as const;
export type VantageRule = (typeof vantageRules)[number];

/** Whether the target counts as down where so many of the probers say so, and so many see nothing. */
export interface VantageVote {
  /** A blind prober has no vote: the others stand for it. */
  readonly measured: (down: number, blind: number) => boolean;
  /** As if each blind one were up. */
  readonly surely: (down: number) => boolean;
  /**
   * As if each blind one were down, except by the rule `any`, where one that sees the target covers the gap of another.
   */
  readonly possibly: (down: number, blind: number) => boolean;
}

export function vantageVote(rule: VantageRule, probers: number): VantageVote {
  const enough = (down: number, of: number) => down > 0 && { any: true, all: down === of, most: 2 * down > of }[rule];
  return {
    measured: (down, blind) => enough(down, probers - blind),
    surely: (down) => enough(down, probers),
    possibly: (down, blind) => down > 0 && enough(rule === 'any' ? down : down + blind, probers),
  };
}
