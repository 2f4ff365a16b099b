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

/** A duration as people read it: `320 ms`, `4.2 s`, `2 min 5 s`, `1 h 2 min`. */
export function readableDuration(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  if (milliseconds < 1000) return `${milliseconds} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return inTwoUnits(whole, 60, 'min', 's');
  return inTwoUnits(Math.round(seconds / 60), 60, 'h', 'min');
}

/** A duration that somebody has chosen: `5 s` without decimals, otherwise as `readableDuration`. */
export function chosenDuration(seconds: number): string {
  return Number.isInteger(seconds) && seconds < 60 ? `${seconds} s` : readableDuration(seconds);
}

function inTwoUnits(amount: number, size: number, large: string, small: string): string {
  const rest = amount % size;
  return `${Math.floor(amount / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/** The shortest text that `parseDuration` reads back. */
export function formatDuration(seconds: number): string {
  if (seconds === 0) return '0s';
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  if (seconds % 60 === 0) return `${seconds / 60}m`;
  if (Number.isInteger(seconds)) return `${seconds}s`;
  const milliseconds = seconds * 1000;
  // Of what is short, parts of a millisecond count too.
  return `${milliseconds < 100 ? Number(milliseconds.toFixed(3)) : Math.round(milliseconds)}ms`;
}
