import { asExpected, type Check, notAsExpected } from './check.ts';

/**
 * The resolution of the API's timestamps (docs/facts/kubernetes.md, "Timestamps"): a larger difference would be
 * reported as a slow cluster.
 */
const mayDifferSeconds = 1;

/**
 * The clocks of this machine and of the API server agree: the downtime log has the times of the one, nodes and pods
 * those of the other.
 */
export const clocks: Check = {
  name: 'clocks',
  mandatory: true,
  async look({ site }) {
    const assertion = {
      id: 'clocks',
      subject: 'clock of this machine',
      expected: `within ${mayDifferSeconds} s of the API server's`,
    };
    const { offsetSeconds, uncertaintySeconds } = await site.cluster.clockOffset();
    const apartSeconds = Math.abs(offsetSeconds);
    const side = offsetSeconds > 0 ? 'behind' : 'ahead';
    const observed = `${apartSeconds.toFixed(1)} s ${side} (± ${uncertaintySeconds.toFixed(1)} s)`;
    if (apartSeconds - uncertaintySeconds <= mayDifferSeconds) return asExpected(assertion, observed);
    return notAsExpected(assertion, observed, `this machine is ${side}: synchronise it by NTP`);
  },
};
