import type { Sample, Target } from '../../host/host.ts';
import type { OutageKind } from '../downtime/outage-kind.ts';

/** Counts samples for Prometheus. */
export interface Metrics {
  readonly take: (sample: Sample, target: Target, kind: OutageKind | undefined) => void;
  /** In the text exposition format, version 0.0.4. */
  readonly text: () => string;
}

/** The default buckets of Prometheus' client libraries, in seconds. */
const bucketBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  readonly labels: string;
  readonly results: Map<string, number>;
  readonly buckets: number[];
  seconds: number;
  samples: number;
  good: boolean;
  certificateEndsAt: number | undefined;
}

export function metrics(): Metrics {
  const series = new Map<string, Series>();
  return {
    take: ({ connection, seconds, certificateEndsAt }, { url }, kind) => {
      const labels = `target="${escaped(url)}",connection="${connection}"`;
      const one = series.get(labels) ?? newSeries(labels);
      series.set(labels, one);
      count(one, seconds, kind);
      one.certificateEndsAt = certificateEndsAt ?? one.certificateEndsAt;
    },
    text: () => exposition([...series.values()]),
  };
}

function count(one: Series, seconds: number, kind: OutageKind | undefined): void {
  one.results.set(kind ?? 'good', (one.results.get(kind ?? 'good') ?? 0) + 1);
  one.seconds += seconds;
  one.samples += 1;
  one.good = kind === undefined;
  for (const [i, bound] of bucketBounds.entries()) if (seconds <= bound) one.buckets[i] = (one.buckets[i] ?? 0) + 1;
}

function newSeries(labels: string): Series {
  return {
    labels,
    // An increase is seen only in a series that is there from the beginning.
    results: new Map([['good', 0]]),
    buckets: bucketBounds.map(() => 0),
    seconds: 0,
    samples: 0,
    good: false,
    certificateEndsAt: undefined,
  };
}

function exposition(series: readonly Series[]): string {
  return [
    ...family(
      'holdfast_probe_up',
      'gauge',
      'Whether the last sample was good.',
      series.map(({ labels, good }) => `{${labels}} ${good ? 1 : 0}`),
    ),
    ...certificates(series),
    ...family(
      'holdfast_probes_total',
      'counter',
      'Samples by result: good, or what was wrong.',
      series.flatMap(({ labels, results }) =>
        [...results].map(([result, count]) => `{${labels},result="${result}"} ${count}`),
      ),
    ),
    ...family('holdfast_probe_seconds', 'histogram', 'How long the samples took.', series.flatMap(histogram)),
    '',
  ].join('\n');
}

/** There where a target has one. */
function certificates(series: readonly Series[]): readonly string[] {
  const ends = series.flatMap(({ labels, certificateEndsAt: at }) =>
    at === undefined ? [] : [`{${labels}} ${at / 1000}`],
  );
  if (ends.length === 0) return [];
  return family(
    'holdfast_probe_certificate_end_seconds',
    'gauge',
    'When the certificate of the server ends, Unix time.',
    ends,
  );
}

/** Each sample is the text behind the family's name, beginning with the suffix of a histogram. */
function family(name: string, type: string, help: string, samples: readonly string[]): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => name + sample)];
}

function histogram({ labels, buckets, seconds, samples }: Series): readonly string[] {
  const bounds = [...bucketBounds.map((bound, i) => [String(bound), buckets[i]] as const), ['+Inf', samples] as const];
  return [
    ...bounds.map(([bound, count]) => `_bucket{${labels},le="${bound}"} ${count}`),
    `_sum{${labels}} ${Math.round(seconds * 1000) / 1000}`,
    `_count{${labels}} ${samples}`,
  ];
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
