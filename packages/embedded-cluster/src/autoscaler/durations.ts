const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Seconds of a duration in Karpenter's notation, `1h30m`; infinite for `Never` or undefined. */
export function durationSeconds(text: string | undefined): number {
  if (text === undefined || text === 'Never') return Number.POSITIVE_INFINITY;
  return [...text.matchAll(/(\d+)([smh])/g)].reduce(
    (sum, [, digits, unit = 's']) => sum + Number(digits) * (unitSeconds[unit] ?? 0),
    0,
  );
}
