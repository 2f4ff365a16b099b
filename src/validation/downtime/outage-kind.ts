import type { ProbeError, Sample } from '../../host/host.ts';
import { type ExpectedStatuses, isExpected } from '../../settings/expected-status.ts';

/** Why a sample is bad: the probe's error, the status that came instead of the expected one, or `slow`. */
export type OutageKind = ProbeError | `${number}` | 'slow';

export interface Expected {
  readonly expect: ExpectedStatuses;
  readonly slowSeconds: number;
}

/** By target: what is expected of it, if that differs from the other targets. */
export type OwnExpected = Readonly<Record<string, Partial<Expected>>>;

export const expectedOf = (all: Expected & { readonly own?: OwnExpected }, target: string | undefined): Expected =>
  target === undefined || all.own?.[target] === undefined ? all : { ...all, ...all.own[target] };

interface Failed {
  readonly error?: Sample['error'] | undefined;
  readonly bodyMatched?: Sample['bodyMatched'] | undefined;
}

/** 503, 504, a slow answer and any failure are bad (specification, 4.1 (2) and 7). Undefined for a good sample. */
export function outageKind(
  sample: Pick<Sample, 'status' | 'seconds'> & Failed,
  expected: Expected,
): OutageKind | undefined {
  if (sample.error !== undefined) return sample.error;
  if (!isExpected(sample.status, expected.expect)) return `${String(sample.status).padStart(3, '0') as `${number}`}`;
  if (sample.bodyMatched === false) return 'body';
  return sample.seconds > expected.slowSeconds ? 'slow' : undefined;
}
