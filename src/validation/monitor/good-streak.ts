/** Counts good samples in a row, in the order in which they were started, whichever ends first. */
export interface GoodStreak {
  /** A sample starts; the returned function says how it ended. */
  readonly begin: (at: number) => (good: boolean) => void;
  /** How many of the newest were good and started at or after that instant (epoch milliseconds); one that is still under way ends the row. */
  readonly since: (at: number) => number;
}

/** More than any gate asks for. */
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
