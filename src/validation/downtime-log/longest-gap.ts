/**
 * Two starts more than this many intervals apart, plus the resolution of the times, have an unknown tick between them
 * (docs/facts/measuring.md, "Unknown samples").
 */
export const longestGapIntervals = 1.5;
