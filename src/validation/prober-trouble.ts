import type { Tick } from './downtime.ts';

/**
 * Pure. While the control target fails too, within an interval of it, it is the prober that has trouble: a bad sample then says
 * nothing of the application (facts 6.1). Good samples stay. Both are in the order of their starts.
 */
export function withoutProberTrouble(
  ticks: readonly Tick[],
  control: readonly Tick[],
  intervalSeconds: number,
): readonly Tick[] {
  const troubles = control.filter((tick) => 'kind' in tick && tick.kind !== undefined).map(({ at }) => at);
  if (troubles.length === 0) return ticks;
  const isNear = (at: number): boolean => troubles.some((trouble) => Math.abs(trouble - at) <= intervalSeconds * 1000);
  return ticks.map((tick) =>
    'kind' in tick && tick.kind !== undefined && isNear(tick.at) ? { at: tick.at, unknownTicks: 1 } : tick,
  );
}
