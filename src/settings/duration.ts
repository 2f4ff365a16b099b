const unitMilliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** The seconds of a duration such as `500ms`, `10s`, `2m`, `1h` or `1h30m`; undefined if the text is not one. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  let milliseconds = 0;
  for (const [, amount, unit] of parts)
    milliseconds += Number(amount) * unitMilliseconds[unit as keyof typeof unitMilliseconds];
  return milliseconds / 1000;
}

/** The shortest text that `parseDuration` reads back. */
export function formatDuration(seconds: number): string {
  if (seconds === 0) return '0s';
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  if (seconds % 60 === 0) return `${seconds / 60}m`;
  if (Number.isInteger(seconds)) return `${seconds}s`;
  const milliseconds = seconds * 1000;
  // Short durations keep parts of a millisecond.
  return `${milliseconds < 100 ? Number(milliseconds.toFixed(3)) : Math.round(milliseconds)}ms`;
}
