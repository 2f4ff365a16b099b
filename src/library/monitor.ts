import { monitorFlags } from '../cli/commands/monitor-flags.ts';
import { memoryFiles } from '../host/memory-files.ts';
import { analyzeFiles } from '../validation/downtime/analyze.ts';
import { startMonitor } from '../validation/monitor/monitor.ts';
import { withSpans } from '../validation/window-downtime.ts';
import type { AnalysisDocument } from './analyze.ts';
import { asFlags, guestContext } from './guest-context.ts';
import { queue } from './queue.ts';

/**
 * Each is the option of `holdfast monitor` of that name (docs/library.md). Durations are written as there: `500ms`,
 * `10s`.
 */
export interface MonitorOptions {
  readonly url: string;
  readonly interval?: string;
  readonly edges?: string;
  readonly timeout?: string;
  readonly slow?: string;
  readonly expect?: string | number;
  /** By default until the loop is left, `stop` is called, or the signal is aborted. */
  readonly duration?: string;
  readonly header?: readonly string[];
  readonly request?: string;
  readonly resolve?: readonly string[];
  readonly cacert?: string;
  readonly insecure?: boolean;
  readonly location?: boolean;
  /** Whether a kept connection is probed beside new ones; true by default. */
  readonly reused?: boolean;
  readonly bodyContains?: string;
  /** The downtime log; by default it is kept in memory. */
  readonly log?: string;
  readonly signal?: AbortSignal;
}

/** A probe that has ended. */
export interface MonitorSample {
  /** When it was started, ISO 8601. */
  readonly at: string;
  /** 0 without an answer. */
  readonly status: number;
  readonly seconds: number;
  readonly connection: 'new' | 'reused';
  /** Why it is downtime: the status, `slow`, `dns`, `refused` …; absent of a good one. */
  readonly kind?: string;
}

export interface Monitoring extends AsyncIterable<MonitorSample> {
  /** The document of `holdfast monitor --json`, when it has ended. */
  readonly summary: Promise<AnalysisDocument>;
  /** Starts no more probes; those under way end, and then the summary is there. */
  readonly stop: () => void;
}

/**
 * Probes an address until it is stopped. Leaving the loop over its samples stops it. Where an option is wrong, samples
 * and summary reject with a `UsageError`; after an abort with the signal's reason, when the log is whole.
 */
export function monitor({ signal, ...options }: MonitorOptions): Monitoring {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  const samples = queue<MonitorSample>();
  const summary = watch(options, signal, stopping.signal, samples.put).then(
    (analysis) => {
      samples.end();
      return analysis;
    },
    (error: unknown) => {
      samples.fail(error);
      throw error;
    },
  );
  // A caller that only reads the samples learns of the error there.
  summary.catch(() => {});
  return { summary, stop, [Symbol.asyncIterator]: () => samples.read(stop) };
}

async function watch(
  { url, log, ...options }: Omit<MonitorOptions, 'signal'>,
  signal: AbortSignal | undefined,
  stopped: AbortSignal,
  put: (sample: MonitorSample) => void,
): Promise<AnalysisDocument> {
  signal?.throwIfAborted();
  const context = guestContext(signal);
  const flags = await monitorFlags(context, { options: asFlags(options), operands: [url] });
  const files = log === undefined ? memoryFiles() : context.host.files;
  const name = log ?? 'downtime.log';
  const fromByte = (await files.stat(name))?.sizeBytes ?? 0;
  const running = await startMonitor({ ...context.host, files }, flags.settings, name, (sample, _, kind) => {
    const { status, seconds, connection } = sample;
    put({
      at: new Date(sample.at).toISOString(),
      status,
      seconds,
      connection,
      ...(kind === undefined ? {} : { kind }),
    });
  });
  running.edges(true);
  const ending = AbortSignal.any([stopped, ...(signal === undefined ? [] : [signal])]);
  await context.host.clock.sleep(flags.durationSeconds ?? Number.POSITIVE_INFINITY, ending).catch(() => {});
  await running.stop();
  signal?.throwIfAborted();
  return withSpans(await analyzeFiles({ files }, [name], { fromByte }));
}
