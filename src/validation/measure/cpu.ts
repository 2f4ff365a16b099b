import type { LoadResult } from '../../host/host.ts';
import type { CpuSeen, Observed } from '../record/observed.ts';
import type { Timed } from '../record/records.ts';

/**
 * "CPU stable" (docs/facts/measuring.md, "Load"): CPU of the application's busiest pod in millicores, or why it is
 * unknown.
 */
export type CpuMeasurement =
  | { readonly because: string }
  | {
      readonly baseline: number;
      readonly peak: number;
      /** The peak as a share of the pod's limit; null without a limit. */
      readonly peakOfLimit: number | null;
      /** From the end of the load until it was near the baseline again; null if it was not measured there. */
      readonly calmSeconds: number | null;
    };

/** "CPU stable" means near the baseline again within so many seconds. */
export const calmWithinSeconds = 60;
/**
 * The longest window and the longest time between two measurements that still show calm in time: a window that begins
 * when the load ends, and one measurement later, are both within `calmWithinSeconds`. metrics-server has 15 s for each.
 */
const coarsestSeconds = calmWithinSeconds / 2;

/** Near means within 20 % of the baseline, or within 10 millicores, which the monitor's own requests may use. */
const nearShare = 1.2;
const nearMillicores = 10;

export function measureCpu(observed: readonly Timed<Observed>[], { startedAt, seconds }: LoadResult): CpuMeasurement {
  const endedAt = startedAt + 1000 * seconds;
  const measured = observed.filter((fact) => fact.type === 'cpu-seen');
  const before = measured.filter(({ measuredAt }) => measuredAt <= startedAt).map(busiest);
  const after = measured.filter(({ measuredAt }) => measuredAt > startedAt);
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

/** Why the measurements are too coarse to show calm; undefined if they are not, or if calm was measured in time. */
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
  return trouble?.because ?? 'metrics.k8s.io had no usage of the pods from before and after the load';
}
