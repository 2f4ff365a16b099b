import { asExpected, type Check, notAsExpected } from './check.ts';

/** The resolution of the API's timestamps (docs/facts/kubernetes.md, "Timestamps"): a larger difference would be reported as a slow cluster. */
const mayDifferSeconds = 1;

/** The clocks of this machine and of the API server agree: the downtime log has the times of the one, nodes and pods those of the other. */
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
