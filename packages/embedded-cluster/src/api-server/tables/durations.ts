/** The time since then as `kubectl` shows an age; `<unknown>` if there is none. */
export function ageAt(time: unknown, nowAt: number): string {
  return typeof time === 'string' && time !== '' ? humanDuration((nowAt - Date.parse(time)) / 1000) : '<unknown>';
}

/**
 * `HumanDuration` (apimachinery, pkg/util/duration): two units at most, and one where a second one would be too
 * precise.
 */
export function humanDuration(seconds: number): string {
  const [whole, minutes, hours, days] = [1, 60, 3600, 86_400].map((unit) =>
    Math.floor(Math.max(0, seconds) / unit),
  ) as [number, number, number, number];
  const withUnit = (count: number, unit: string) => (count === 0 ? '' : `${count}${unit}`);
  if (whole < 120) return `${whole}s`;
  if (minutes < 10) return `${minutes}m${withUnit(whole % 60, 's')}`;
  if (hours < 3) return `${minutes}m`;
  if (hours < 8) return `${hours}h${withUnit(minutes % 60, 'm')}`;
  if (hours < 48) return `${hours}h`;
  return days < 8 ? `${days}d${withUnit(hours % 24, 'h')}` : `${days}d`;
}
