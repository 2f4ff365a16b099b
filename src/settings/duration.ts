const unitSeconds = { ms: 0.001, s: 1, m: 60, h: 3600 } as const;

/** A duration as the contract writes it (`500ms`, `10s`, `2m`, `1h`, also `1h30m`) in seconds; undefined when it is not one. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  let seconds = 0;
  for (const [, amount, unit] of parts) seconds += Number(amount) * unitSeconds[unit as keyof typeof unitSeconds];
  return seconds;
}

/** The shortest way to write a duration that `parseDuration` reads back. */
export function formatDuration(seconds: number): string {
  if (seconds === 0) return '0s';
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  if (seconds % 60 === 0) return `${seconds / 60}m`;
  return Number.isInteger(seconds) ? `${seconds}s` : `${Math.round(seconds * 1000)}ms`;
}
