import { loadavg } from 'node:os';

/** Of one, five and fifteen minutes: how busy the machine is, which a figure is to be read with. */
export function loadAverage(): string {
  const averages = loadavg().map((average) => average.toFixed(1));
  return `load average ${averages.join(', ')}`;
}
