import type { ProbeError, Sample } from '../../host/host.ts';

/** What is wrong with a sample: the probe's error, the status that came instead of the expected one, or that it was slow. */
export type OutageKind = ProbeError | `${number}` | 'slow';

export interface Expected {
  readonly expect: number;
  readonly slowSeconds: number;
}

/** Specification 4.1 (2) and 7: 503, 504, slow time and any failure are bad. Undefined is good. */
export function outageKind(
  sample: Pick<Sample, 'status' | 'seconds' | 'error' | 'bodyMatched'>,
  expected: Expected,
): OutageKind | undefined {
  if (sample.error !== undefined) return sample.error;
  if (sample.status !== expected.expect) return `${String(sample.status).padStart(3, '0') as `${number}`}`;
  if (sample.bodyMatched === false) return 'body';
  return sample.seconds > expected.slowSeconds ? 'slow' : undefined;
}
