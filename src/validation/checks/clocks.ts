import { asExpected, type Check, notAsExpected } from './check.ts';

/** The resolution of the API's own timestamps (facts 4.11): more than that would be told as the cluster's slowness. */
const mayDifferSeconds = 1;

/** The downtime log has this machine's times, nodes and pods have the API server's. */
export const clocks: Check = {
  name: 'clocks',
  mandatory: true,
  async look({ site }) {
    const assertion = { id: 'clocks', subject: 'clock', expected: `within ${mayDifferSeconds} s of the API server's` };
    const { offsetSeconds, uncertaintySeconds } = await site.cluster.clockOffset();
    const observed = `${offsetSeconds.toFixed(1)} s ± ${uncertaintySeconds.toFixed(1)} s`;
    if (Math.abs(offsetSeconds) - uncertaintySeconds <= mayDifferSeconds) return asExpected(assertion, observed);
    const slow = offsetSeconds > 0 ? 'this machine is behind' : 'this machine is ahead';
    return notAsExpected(assertion, observed, `${slow}: synchronise it by NTP`);
  },
};
