/** Counts good samples in a row, in the order of their starts, whichever ends first. */
export interface GoodStreak {
  /** Call when a sample starts, and the returned function when it ends. */
  readonly begin: (at: number) => (good: boolean) => void;
  /**
   * How many of the newest samples were good and started at or after that instant (epoch milliseconds). One that is
   * under way ends the row.
   */
  readonly since: (at: number) => number;
}

/** More than a baseline needs (`goodSamples`). */
const mostRemembered = 1000;

interface Begun {
  readonly at: number;
  good: boolean | undefined;
}

export function goodStreak(): GoodStreak {
  const underWay: Begun[] = [];
  let row: number[] = [];
  const settle = () => {
    for (let first = underWay[0]; first?.good !== undefined; first = underWay[0]) {
      if (first.good) row.push(first.at);
      else row = [];
      if (row.length > mostRemembered) row.shift();
      underWay.shift();
    }
  };
  return {
    begin: (at) => {
      const begun: Begun = { at, good: undefined };
      underWay.push(begun);
      return (good) => {
        begun.good = good;
        settle();
      };
    },
    since: (at) => row.filter((startedAt) => startedAt >= at).length,
  };
}
