/** @import { Series } from '../series.ts' */

/**
 * Each application of the run with what its visitors saw; the only one has no name.
 * @param {Series} series
 */
export const applicationsOf = ({ applications, strips, outages, downtimes }) =>
  applications.map((one, index) => ({
    ...one,
    strip: strips[index] ?? null,
    outages: outages[index] ?? [],
    downtime: downtimes[index] ?? [],
  }));

/** Over the traffic of an application that has a name. */
export const nameHeight = 16;
