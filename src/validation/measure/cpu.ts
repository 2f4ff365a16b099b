import type { LoadResult } from '../../host/host.ts';
import type { CpuSeen, Observed } from '../observe/observation.ts';
import type { Timed } from '../records.ts';

/** "CPU stable" (facts 4.8): what the application's busiest pod used, in millicores; `because` says why nothing is known. */
export type CpuMeasurement =
  | { readonly because: string }
  | {
      readonly baseline: number;
      readonly peak: number;
      /** Of the pod's own limit; null without one. */
      readonly peakOfLimit: number | null;
      /** From the end of the load until it was near the baseline again; null when that was not seen. */
      readonly calmSeconds: number | null;
    };

/** Near: within 20 % of the baseline, or within what the monitor's own requests make. */
const nearShare = 1.2;
const nearMillicores = 10;

/** Pure. */
export function measureCpu(observed: readonly Timed<Observed>[], { startedAt, seconds }: LoadResult): CpuMeasurement {
  const endedAt = startedAt + 1000 * seconds;
  const seen = observed.filter((fact) => fact.type === 'cpu-seen');
  const before = seen.filter(({ measuredAt }) => measuredAt <= startedAt).map(busiest);
  const after = seen.filter(({ measuredAt }) => measuredAt > startedAt);
  if (before.length === 0 || after.length === 0) return { because: whyNot(observed) };
  const baseline = Math.max(...before.map(({ millicores }) => millicores));
  const shares = after.flatMap(({ pods }) =>
    pods.flatMap(({ millicores, limitMillicores: limit }) => (limit === null ? [] : [millicores / limit])),
  );
  const calm = after.find(
    (fact) =>
      fact.measuredAt >= endedAt &&
      busiest(fact).millicores <= Math.max(baseline * nearShare, baseline + nearMillicores),
  );
  return {
    baseline,
    peak: Math.max(...after.map((fact) => busiest(fact).millicores)),
    peakOfLimit: shares.length === 0 ? null : Math.max(...shares),
    calmSeconds: calm === undefined ? null : (calm.measuredAt - endedAt) / 1000,
  };
}

function busiest({ pods }: CpuSeen): { readonly millicores: number } {
  return { millicores: Math.max(0, ...pods.map(({ millicores }) => millicores)) };
}

function whyNot(observed: readonly Timed<Observed>[]): string {
  const trouble = observed.find((fact) => fact.type === 'cpu-not-measured');
  return trouble?.because ?? 'metrics.k8s.io told nothing of the pods before and after the load';
}
