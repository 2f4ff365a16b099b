import type { DelayName, Delays } from './delays.ts';

/** The delays between the launch of a machine and its Ready node, in this order. */
const parts = ['instanceLaunch', 'instanceBoot', 'kubeletBoot', 'nodeReady'] as const satisfies readonly DelayName[];

/**
 * The delays in which a node takes that many seconds, shared among its parts as they are; the same ones for undefined.
 */
export function withNodeReady(delays: Delays, seconds: number | undefined): Delays {
  if (seconds === undefined) return delays;
  const middle = (name: DelayName) => (delays[name].seconds[0] + delays[name].seconds[1]) / 2;
  const whole = parts.reduce((sum, name) => sum + middle(name), 0);
  const exact = parts.map((name) => {
    const share = (seconds * middle(name)) / whole;
    return [name, { seconds: [share, share], source: 'given' }] as const;
  });
  return { ...delays, ...Object.fromEntries(exact) };
}
