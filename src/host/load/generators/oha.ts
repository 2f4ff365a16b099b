import type { LoadPlan } from '../load-plan.ts';
import { addTo, errorIn, type GeneratorCounts } from './told.ts';

export const ohaCommand = ({ url, requests, concurrency, timeoutSeconds, rate }: LoadPlan) =>
  [
    'oha',
    '--no-tui',
    '--output-format=json',
    '--redirect=0',
    '-n',
    `${requests}`,
    '-c',
    `${concurrency}`,
    '-t',
    `${1000 * timeoutSeconds}ms`,
    ...(rate === undefined ? [] : ['-q', `${Math.max(1, Math.round(rate.perSecond / rate.every))}`]),
    url,
  ] as const;

interface Summary {
  readonly summary: { readonly total: number; readonly slowest: number };
  readonly latencyPercentiles: Readonly<Record<string, number | null>>;
  readonly statusCodeDistribution: Readonly<Record<string, number>>;
  readonly errorDistribution: Readonly<Record<string, number>>;
}

/**
 * oha's histogram has eleven rows of its own choice: nothing that could be added to others. Its percentiles are of the
 * requests with a status.
 */
export function ohaCounts(output: string): GeneratorCounts {
  const { summary, latencyPercentiles, statusCodeDistribution, errorDistribution } = JSON.parse(output) as Summary;
  const errors: Partial<Record<ReturnType<typeof errorIn>, number>> = {};
  for (const [message, count] of Object.entries(errorDistribution)) addTo(errors, errorIn(message), count);
  const at = (name: string): number => latencyPercentiles[name] ?? Number.NaN;
  const told = { p50: at('p50'), p90: at('p90'), p99: at('p99'), p999: at('p99.9'), max: summary.slowest };
  const percentiles = Object.values(told).every(Number.isFinite) ? told : null;
  return { statuses: statusCodeDistribution, errors, histogram: null, percentiles, seconds: summary.total };
}
