import type { ProbeError, Sample } from '../../host/host.ts';

/** Why a sample is bad: the probe's error, the status that came instead of the expected one, or `slow`. */
export type OutageKind = ProbeError | `${number}` | 'slow';

export interface Expected {
  readonly expect: number;
  readonly slowSeconds: number;
}

/** 503, 504, a slow answer and any failure are bad (specification, 4.1 (2) and 7). Undefined for a good sample. */
export function outageKind(
  sample: Pick<Sample, 'status' | 'seconds' | 'error' | 'bodyMatched'>,
  expected: Expected,
): OutageKind | undefined {
  if (sample.error !== undefined) return sample.error;
  if (sample.status !== expected.expect) return `${String(sample.status).padStart(3, '0') as `${number}`}`;
  if (sample.bodyMatched === false) return 'body';
  return sample.seconds > expected.slowSeconds ? 'slow' : undefined;
}
