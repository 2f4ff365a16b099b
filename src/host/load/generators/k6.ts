import type { LoadPlan } from '../load-plan.ts';
import { addTo, type GeneratorCounts } from './told.ts';

/** The script is standard input. */
export const k6Command = ['k6', 'run', '--quiet', '--no-usage-report', '-'] as const;

/** The statuses that can be counted: k6 tells a count only of counters that are made before the load begins. */
const [firstStatus, lastStatus] = [100, 599];
/** k6's error codes (k6, "Error codes"), without those of answers with a status. */
const errorCodes = [
  1000, 1010, 1020, 1050, 1100, 1101, 1110, 1111, 1200, 1201, 1202, 1210, 1211, 1212, 1213, 1220, 1300, 1310, 1311,
];

/** Modules of k6 itself. */
const modules = { http: 'k6/http', metrics: 'k6/metrics' };

/** Shared iterations in a closed loop, a constant arrival rate with a rate. The summary is JSON on standard output. */
export function k6Script({ url, requests, concurrency, timeoutSeconds, rate }: LoadPlan): string {
  const perSecond = rate === undefined ? undefined : rate.perSecond / rate.every;
  const closed = { executor: 'shared-iterations', vus: concurrency, iterations: requests, maxDuration: '24h' };
  const open = {
    executor: 'constant-arrival-rate',
    rate: Math.max(1, Math.round(60 * (perSecond ?? 1))),
    timeUnit: '1m',
    duration: `${Math.ceil((1000 * requests) / (perSecond ?? 1))}ms`,
    preAllocatedVUs: concurrency,
    maxVUs: concurrency,
  };
  const options = {
    scenarios: { load: perSecond === undefined ? closed : open },
    summaryTrendStats: ['p(50)', 'p(90)', 'p(99)', 'p(99.9)', 'max'],
    discardResponseBodies: true,
    maxRedirects: 0,
  };
  return `import http from ${JSON.stringify(modules.http)};
import { Counter, Trend } from ${JSON.stringify(modules.metrics)};
export const options = ${JSON.stringify(options)};
const statuses = {}, errors = {};
for (let code = ${firstStatus}; code <= ${lastStatus}; code++) statuses[code] = new Counter('status_' + code);
for (const code of ${JSON.stringify(errorCodes)}) errors[code] = new Counter('error_' + code);
const answered = new Trend('answered', true);
export default function () {
  const response = http.get(${JSON.stringify(url)}, { timeout: '${1000 * timeoutSeconds}ms' });
  if (response.status === 0) return (errors[response.error_code] || errors[1000]).add(1);
  statuses[response.status].add(1);
  answered.add(response.timings.connecting + response.timings.tls_handshaking + response.timings.duration);
}
export const handleSummary = (data) => ({ stdout: JSON.stringify(data) });
`;
}

interface Summary {
  readonly state: { readonly testRunDurationMs: number };
  readonly metrics: Readonly<Record<string, { readonly values: Readonly<Record<string, number>> }>>;
}

/** k6's summary has percentiles in milliseconds and no histogram. */
export function k6Counts(output: string): GeneratorCounts {
  const { state, metrics } = JSON.parse(output.slice(output.indexOf('{'))) as Summary;
  const statuses: Record<string, number> = {};
  const errors: Partial<Record<ReturnType<typeof errorOf>, number>> = {};
  for (const [name, { values }] of Object.entries(metrics)) {
    const [, what, code = ''] = /^(status|error)_(\d+)$/.exec(name) ?? [];
    const { count = 0 } = values;
    if (what === undefined || count === 0) continue;
    if (what === 'status') addTo(statuses, code, count);
    else addTo(errors, errorOf(Number(code)), count);
  }
  const times = metrics.answered?.values;
  const at = (name: string): number => (times?.[name] ?? Number.NaN) / 1000;
  const told = { p50: at('p(50)'), p90: at('p(90)'), p99: at('p(99)'), p999: at('p(99.9)'), max: at('max') };
  const percentiles = Object.values(told).every(Number.isFinite) ? told : null;
  return { statuses, errors, histogram: null, percentiles, seconds: state.testRunDurationMs / 1000 };
}

function errorOf(code: number) {
  if (code === 1050) return 'timeout';
  if (code >= 1100 && code < 1200) return 'dns';
  if (code === 1211) return 'connect-timeout';
  if (code === 1212) return 'refused';
  if (code === 1220) return 'reset';
  return code >= 1300 && code < 1400 ? 'tls' : 'other';
}
