const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Seconds of a duration as Karpenter writes it, `1h30m`; infinite for `Never`. */
export function durationSeconds(text: string | undefined): number {
  if (text === undefined || text === 'Never') return Number.POSITIVE_INFINITY;
  return [...text.matchAll(/(\d+)([smh])/g)].reduce(
    (sum, [, digits, unit = 's']) => sum + Number(digits) * (unitSeconds[unit] ?? 0),
    0,
  );
}
