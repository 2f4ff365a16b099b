export interface Share {
  readonly share: number;
  readonly lower: number;
  readonly upper: number;
}

/** Of the normal distribution, for 95 % in the middle. */
const z = 1.96;

/**
 * The share of bad samples, from 0 to 1 in thousandths, and its 95 % interval (E. B. Wilson, Probable Inference, 1927):
 * of few samples it is wide.
 */
export function shareOf(bad: number, samples: number): Share {
  const share = bad / samples;
  const scale = 1 + z ** 2 / samples;
  const middle = (share + z ** 2 / (2 * samples)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / samples + z ** 2 / (4 * samples ** 2));
  return {
    share: thousandths(share),
    lower: thousandths(Math.max(0, middle - half)),
    upper: thousandths(Math.min(1, middle + half)),
  };
}

const thousandths = (value: number): number => Math.round(1000 * value) / 1000;
