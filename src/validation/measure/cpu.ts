import type { LoadResult } from '../../host/host.ts';
import type { CpuSeen, Observed } from '../record/observed.ts';
import type { Timed } from '../record/records.ts';

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

/** "CPU stable": near the baseline again in so many seconds. */
export const calmWithinSeconds = 60;
/**
 * What averages over more hides the end of a load, and what looks more seldom may miss it: a window of so long that begins when the load has
 * ended, and the next look as much later, are both within the time. metrics-server's are 15 s each.
 */
const coarsestSeconds = calmWithinSeconds / 2;

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
  const calmSeconds = calm === undefined ? null : (calm.measuredAt - endedAt) / 1000;
  const coarse = coarseness(after, { endedAt, calmSeconds });
  if (coarse !== undefined) return { because: coarse };
  return {
    baseline,
    peak: Math.max(...after.map((fact) => busiest(fact).millicores)),
    peakOfLimit: shares.length === 0 ? null : Math.max(...shares),
    calmSeconds,
  };
}

/** Why what was measured cannot show calm; undefined when it can, and where calm was seen in time. */
function coarseness(
  after: readonly CpuSeen[],
  { endedAt, calmSeconds }: { readonly endedAt: number; readonly calmSeconds: number | null },
): string | undefined {
  const windowSeconds = Math.max(...after.map((fact) => fact.windowSeconds ?? 0));
  if (windowSeconds > coarsestSeconds)
    return `metrics.k8s.io averages over ${windowSeconds} s, and at most ${coarsestSeconds} s show the CPU of a load`;
  const lateEnough = after.some(
    ({ measuredAt }) =>
      measuredAt >= endedAt + 1000 * coarsestSeconds && measuredAt <= endedAt + 1000 * calmWithinSeconds,
  );
  if (lateEnough || (calmSeconds !== null && calmSeconds <= calmWithinSeconds)) return undefined;
  return `metrics.k8s.io measured nothing from ${coarsestSeconds} to ${calmWithinSeconds} s after the load`;
}

function busiest({ pods }: CpuSeen): { readonly millicores: number } {
  return { millicores: Math.max(0, ...pods.map(({ millicores }) => millicores)) };
}

function whyNot(observed: readonly Timed<Observed>[]): string {
  const trouble = observed.find((fact) => fact.type === 'cpu-not-measured');
  return trouble?.because ?? 'metrics.k8s.io told nothing of the pods before and after the load';
}
