import type { Sample, Target } from '../../host/host.ts';
import { certificateWatch, endText } from '../../host/probe/certificate-watch.ts';
import { type Served, serve } from '../../host/serve.ts';
import { printable } from '../../report/printable.ts';
import { formatDuration } from '../../settings/duration.ts';
import { analyzeFiles } from '../../validation/downtime/analyze.ts';
import type { OutageKind } from '../../validation/downtime/outage-kind.ts';
import { lastingFiles } from '../../validation/downtime-log/lasting-log.ts';
import { type Metrics, metrics } from '../../validation/monitor/metrics.ts';
import { type Monitor, startMonitor } from '../../validation/monitor/monitor.ts';
import type { OnProbe } from '../../validation/monitor/monitor-settings.ts';
import { outageWatch, type Turn } from '../../validation/monitor/outage-watch.ts';
import { withSpans } from '../../validation/window-downtime.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { fitted } from '../command/hanging-indent.ts';
import { pageOf } from '../command/page.ts';
import { paint } from '../command/text.ts';
import { keptResults } from '../runs/kept-results.ts';
import { filesOnOutput, onOutput } from '../runs/log-on-output.ts';
import { monitorProgress } from '../runs/monitor-progress.ts';
import { turnText } from '../runs/outage-messages.ts';
import { tellTurns } from '../runs/tell-turns.ts';
import { type Alerting, readNotifiers } from '../settings/read-notifiers.ts';
import { analysisText, setText } from './analysis-text.ts';
import { analysisExit } from './analyze.ts';
import { type MonitorFlags, monitorFlags } from './monitor-flags.ts';

/**
 * `monitor URL`: probes until it is stopped, then prints the outages. 0 without one, 1 with one, 2 if it cannot start,
 * 4 if too much is unknown.
 */
export const monitor: Perform = async (outside, given) => {
  const flags = await monitorFlags(outside, given);
  const alerting = await readNotifiers(outside, flags.alertAfter);
  const { settings, log } = flags;
  const shown = monitorProgress(outside, settings);
  const { context } = shown;
  const { host } = context;
  const isPiped = log === onOutput;
  const written = writtenFiles(log, isPiped ? 0 : ((await host.files.stat(log))?.sizeBytes ?? 0));
  const say = (sentence: string) => talk(context, sentence);
  const files = isPiped
    ? filesOnOutput(host)
    : lastingFiles(host.files, host.clock, { rotate: flags.rotate, kept: flags.kept, say, ...written });
  const counted = metrics();
  const served = await serveMetrics(flags, counted).catch(
    asUsageError('the metrics cannot be served', 'name another address with --metrics'),
  );
  const samples = sampleListener(context, counted, settings.targets.length > 1);
  const [alerts, kept] = [alertListener(context, alerting), keptResults()];
  const onProbe: OnProbe = (...probed) => {
    for (const listener of [samples.listener, alerts.listener, kept.listener, shown.onProbe]) listener(...probed);
  };
  const onClockSet = (seconds: number) =>
    say(`The clock of this machine was ${setText(seconds)}: the log goes on by it.`);
  const running = await startMonitor({ ...host, files }, settings, log, onProbe, onClockSet).catch(
    asUsageError('the downtime log cannot be written', 'name another file with --log'),
  );
  running.edges(true);
  const [every, where] = [formatDuration(settings.intervalSeconds), isPiped ? 'standard output' : log];
  say(`Probing ${probed(settings.targets)} every ${every}, logging to ${where}. Ctrl-C stops.`);
  await untilStopped(context, running, flags.durationSeconds).finally(shown.end);
  await alerts.end();
  served?.close();
  await served?.ended;
  const { all, bad } = samples.counts;
  if (all > 0 && isPiped) return bad > 0 ? exitCodes.failed : exitCodes.done;
  if (all > 0) return printAnalysis(context, flags, written, { anyBad: bad > 0, kept: kept.text() });
  say('No probe ended before the monitor was stopped: there is no result.');
  return exitCodes.failed;
};

/** Tells the notifiers when a target is down, and when it is up again. */
function alertListener(context: Context, { notifiers, alertAfter, redact }: Alerting) {
  const telling = tellTurns(context.host.clock, notifiers, (sentence) => talk(context, redact(sentence)));
  const watch = outageWatch(alertAfter);
  const listener: OnProbe = (...probed) => {
    const turn = ofNew(watch, ...probed);
    if (turn !== undefined) telling.take(turn);
  };
  return { listener, end: telling.end };
}

/** `http://a/`, or `http://a/ and 2 more`. */
function probed([{ url }, ...more]: MonitorFlags['settings']['targets']): string {
  return more.length === 0 ? url : `${url} and ${more.length} more`;
}

/** Serves `/metrics` if `--metrics` was given. */
async function serveMetrics({ metrics: at }: MonitorFlags, counted: Metrics): Promise<Served | undefined> {
  if (at === undefined) return undefined;
  return serve(at, (path) =>
    path === '/metrics' ? { type: 'text/plain; version=0.0.4', body: counted.text() } : undefined,
  );
}

/** Of the probe on new connections alone. */
const ofNew = (
  watch: ReturnType<typeof outageWatch>,
  ...[{ at, connection }, { url }, kind]: Parameters<OnProbe>
): Turn | undefined => (connection === 'new' ? watch(url, at, kind) : undefined);

/**
 * Prints each bad sample when it ends; of several targets when an outage begins and when it ends. Counts all samples.
 */
function sampleListener(
  context: Context,
  counted: Metrics,
  isOfSeveral: boolean,
): { readonly listener: OnProbe; readonly counts: { readonly all: number; readonly bad: number } } {
  const { bad, good } = paint(context.flags.talkColor === true);
  const counts = { all: 0, bad: 0 };
  const [turns, remarks] = [outageWatch(1), remarksOn(context)];
  const sayTurn: OnProbe = (...probed) => {
    const turn = ofNew(turns, ...probed);
    if (turn !== undefined) talk(context, (turn.type === 'down' ? bad : good)(turnText(turn)));
  };
  const sayBad: OnProbe = (sample, { url }, kind) => {
    if (kind !== undefined) talk(context, `${bad(flagged(sample, kind))}  ${url}`);
  };
  const listener: OnProbe = (sample, target, kind) => {
    counts.all += 1;
    counts.bad += Number(isDowntime(sample, kind));
    remarks(sample, target, kind);
    counted.take(sample, target, kind);
    (isOfSeveral ? sayTurn : sayBad)(sample, target, kind);
  };
  return { listener, counts };
}

/** What is said once: a body that is not read to its end, and once a day a certificate that ends soon. */
function remarksOn(context: Context): OnProbe {
  const long = new Set<Target>();
  const certificates = certificateWatch();
  return (sample, target) => {
    const { certificateEndsAt: endsAt, certificateOf } = sample;
    if (sample.unread && !long.has(target))
      talk(context, `The body of ${target.url} is longer than 1 MiB: the rest of it is not read.`);
    if (sample.unread) long.add(target);
    if (endsAt !== undefined && certificates(target.url, sample))
      talk(context, `${certificateText(target.url, certificateOf)} ${endText(endsAt, sample.at)}: renew it.`);
  };
}

const certificateText = (url: string, of: string | undefined): string =>
  of === undefined ? `The certificate of ${url}` : `The certificate '${printable(of)}', on which ${url} depends,`;

const isDowntime = ({ connection }: Sample, kind: OutageKind | undefined): boolean =>
  kind !== undefined && connection === 'new';

function talk({ host, flags }: Context, sentence: string): void {
  if (!flags.quiet) host.talk.write(`${fitted(host.talk, '', sentence, 2)}\n`);
}

function flagged({ at, status, seconds, connection, reason }: Sample, kind: string): string {
  const time = new Date(at).toISOString().slice(11, 23);
  const kept = connection === 'reused' ? ' on a kept connection' : '';
  return `${time}  ${String(status).padStart(3, '0')}  ${seconds.toFixed(3)} s  ${kind}${reason === undefined ? '' : ` (${reason})`}${kept}`;
}

/** The first signal waits for the probes under way; after a second one they are logged as unknown. */
async function untilStopped(context: Context, running: Monitor, durationSeconds: number | undefined): Promise<void> {
  const { host } = context;
  const stopping = new AbortController();
  const forget = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => {
    if (stopping.signal.aborted) return running.abandon();
    stopping.abort();
    talk(context, 'Stopping after the probes under way. Ctrl-C again stops at once and logs them as unknown.');
  });
  running.finished.catch(() => stopping.abort());
  try {
    await host.clock.sleep(durationSeconds ?? Number.POSITIVE_INFINITY, stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    await running.stop().finally(forget);
  }
}

/** The files into which this monitor wrote, as they are named now, and where it began in the first. */
interface WrittenFiles {
  readonly paths: () => readonly string[];
  readonly fromByte: () => number;
  readonly left: (name?: string) => void;
  readonly removed: (names: readonly string[]) => void;
  /** Whether a file was removed that this monitor wrote. */
  readonly isShortened: () => boolean;
  /** Whether another program took away what this monitor wrote. */
  readonly tookAway: () => boolean;
}

/** Lines that another program removed are not searched for. */
function writtenFiles(log: string, size: number): WrittenFiles {
  let rotated: string[] = [];
  let fromByte = size;
  let [taken, shortened] = [false, false];
  const left = (name?: string) => {
    if (name !== undefined) return rotated.push(name);
    rotated = [];
    fromByte = 0;
    taken = true;
  };
  return {
    paths: () => [...rotated, log],
    fromByte: () => fromByte,
    left: (name) => void left(name),
    removed: (names) => {
      const kept = rotated.filter((name) => !names.includes(name));
      if (kept.length === rotated.length) return;
      // The beginning of the first one is of an earlier monitor.
      [rotated, fromByte, shortened] = [kept, 0, true];
    },
    isShortened: () => shortened,
    tookAway: () => taken,
  };
}

/**
 * Prints the analysis of the part of the log that this monitor wrote. What another program took away of it counts for
 * the exit code.
 */
async function printAnalysis(
  context: Context,
  { log, maxUnknown }: MonitorFlags,
  written: WrittenFiles,
  { anyBad, kept }: { readonly anyBad: boolean; readonly kept: string },
): Promise<number> {
  const { host, flags } = context;
  const taken = written.tookAway();
  if (taken)
    talk(
      context,
      `Another program took lines out of ${log}: what follows is of the rest. analyze ${log}* reads its other files too.`,
    );
  if (written.isShortened())
    talk(context, `The oldest files of ${log} were removed (--keep-size, --keep-age): what follows is of the rest.`);
  const analysis = await analyzeFiles({ files: host.files }, written.paths(), { fromByte: written.fromByte() });
  host.out.write(
    flags.json
      ? `${JSON.stringify(withSpans(analysis))}\n`
      : analysisText(log, analysis, maxUnknown, pageOf({ host, flags })) + kept,
  );
  const code = analysisExit(analysis, maxUnknown);
  return code === exitCodes.done && (taken || written.isShortened()) && anyBad ? exitCodes.failed : code;
}
