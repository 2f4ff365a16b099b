import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { edgesWithin } from '../../settings/edges-interval.ts';
import { vantageNames } from '../downtime/vantage-names.ts';
import { type DowntimeLimit, downtimeLimit } from '../monitor/downtime-limit.ts';
import { followLog } from '../monitor/follow-log.ts';
import { fileSource, type LogSource } from '../monitor/log-source.ts';
import { type Monitor, startMonitor } from '../monitor/monitor.ts';
import type { MonitorSettings, OnProbe } from '../monitor/monitor-settings.ts';
import { severalMonitors } from '../monitor/several-monitors.ts';
import { probedTarget } from '../observe/probed-target.ts';
import { startTimelines, type Timeline, type Timelines } from '../observe/timeline.ts';
import type { RunIdentity } from '../record/events.ts';
import { journalOf } from '../record/of-applications.ts';
import { vantageLogFile } from '../record/run-folder.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';
import type { OpenRun, RunApplication } from './order.ts';
import { watchClock } from './watch-clock.ts';
import { type PlacedProbes, withProbes } from './with-probes.ts';

/** An application of the run, and what watches it while phases 3 and 4 run. */
export interface Watched extends RunApplication {
  readonly monitor: Monitor;
  readonly timeline: Timeline;
  /** Ends the monitor and the watch of the cluster, of all applications; may be called again. */
  readonly stopWatching: () => Promise<void>;
  /** Ends the run after too much downtime that no scenario predicts. */
  readonly limit: Pick<DowntimeLimit, 'expect'>;
}

/**
 * Phase 2 of 4.1: the downtime monitor runs until the phases have ended or are no longer to be watched, and the watch
 * of the cluster with it. The phases start when the log has a fresh line and every kind was read once. They get the
 * applications in their order.
 */
export async function withMonitor(
  open: OpenRun,
  phases: (watched: readonly [Watched, ...Watched[]]) => Promise<void>,
): Promise<void> {
  await withProbes(open, async (placed) => {
    const { site, journal, interruption, applications } = open;
    const points = vantagePoints(open, placed);
    // Each prober is counted by itself: the first one that has seen so much downtime ends the run.
    const limits = applications.map(({ settings }) => points.map(() => limitOf(open, settings)));
    const monitor = await openMonitor(
      open,
      points,
      points.map((_, index) => (...probed) => {
        for (const each of limits) each[index]?.onProbe(...probed);
        open.onSample?.(...probed);
      }),
    );
    const names = applications.map(({ name }) => name);
    const all = applications.map(({ settings }) => settings);
    const journalFor = (of: readonly number[]) =>
      of.length === all.length
        ? journal
        : journalOf(
            journal,
            of.flatMap((index) => names[index] ?? []),
          );
    const clockWatched = watchClock(open);
    const timelines = startTimelines(site, all, journalFor, interruption.fail);
    const stopWatching = stopOnce(monitor, timelines, clockWatched);
    const watched = (one: RunApplication, index: number): Watched => ({
      ...one,
      stopWatching,
      monitor:
        all.length === 1 ? monitor : { ...monitor, goodInARow: (at) => monitor.goodInARow(at, one.settings.url) },
      timeline: timelines.each[index] as Timeline,
      limit: {
        expect: (seconds) => {
          for (const one of limits[index] ?? []) one.expect(seconds);
        },
      },
    });
    try {
      // First, because the log of a monitor elsewhere may have no fresh line, and then there is nothing to wait for.
      await monitor.readyToAct(interruption.signal);
      await timelines.synced;
      const [first, ...further] = applications;
      await phases([watched(first, 0), ...further.map((one, index) => watched(one, index + 1))]);
    } finally {
      await stopWatching();
    }
  });
}

/** The monitor first, so that nothing is probed while the watches end. */
function stopOnce(
  monitor: Pick<Monitor, 'stop'>,
  timelines: Pick<Timelines, 'stop'>,
  clockWatched: ReturnType<typeof watchClock>,
): () => Promise<void> {
  const stop = async () => {
    try {
      await monitor.stop();
    } finally {
      clockWatched.stop();
      await timelines.stop();
    }
  };
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= stop();
    return stopped;
  };
}

/** The only application is watched by whatever address the log of a monitor elsewhere has for it. */
function limitOf({ abortAfterSeconds, interruption, applications }: OpenRun, { url }: Settings): DowntimeLimit {
  return downtimeLimit(abortAfterSeconds, interruption.abort, applications.length === 1 ? undefined : url);
}

/** A prober of the run: this machine's monitor, or a log elsewhere. */
interface VantagePoint {
  readonly name: string;
  readonly source: LogSource | undefined;
}

/**
 * The logs of others, or this machine's own monitor, and the probes in the cluster; the first one's log is
 * `downtime.log`.
 */
function vantagePoints(
  { site: { host }, downtimeLogs = [], rule = 'any', journal }: OpenRun,
  { probes, without }: PlacedProbes,
): readonly VantagePoint[] {
  const names = vantageNames(downtimeLogs);
  const given = downtimeLogs.map((log, index) => ({ name: names[index] ?? log, source: fileSource(host, log) }));
  const outside = given.length > 0 ? given : [{ name: 'local', source: undefined }];
  const points = [...outside, ...probes.map(({ zone: name, source }) => ({ name, source }))];
  if (probes.length > 0) {
    const logs = points.map(({ name }, index) => ({ name, file: vantageLogFile(index) }));
    journal.record({ type: 'probes-placed', vantages: { rule, logs }, without });
  }
  return points;
}

/** Notes the clock of the API server in the log. */
async function openMonitor(
  open: OpenRun,
  points: readonly VantagePoint[],
  onSamples: readonly OnProbe[],
): Promise<Monitor> {
  const { site, interruption, rule = 'any' } = open;
  const all: Monitor[] = [];
  for (const [index, point] of points.entries()) all.push(await startOne(open, point, index, onSamples[index]));
  const [first] = all;
  const monitor =
    first !== undefined && all.length === 1 ? first : severalMonitors(all, rule, open.applications.length === 1);
  // Without its authoritative log a run must not go on disturbing anything.
  monitor.finished.catch((error: unknown) => interruption.fail(error));
  interruption.hurry.addEventListener('abort', () => monitor.abandon());
  await noteClockOffset(site, monitor);
  return monitor;
}

async function startOne(
  { site: { host }, applications, folder, run, journal }: OpenRun,
  { source }: VantagePoint,
  index: number,
  onSample: OnProbe = () => {},
): Promise<Monitor> {
  const file = vantageLogFile(index);
  const log = `${folder}/${file}`;
  const [first, ...others] = applications;
  const all = [first.settings, ...others.map(({ settings }) => settings)] as const;
  if (source === undefined) return startMonitor(host, await monitorSettings(host, all, run.kind), log, onSample);
  const onClockSet = (seconds: number) => journal.record({ type: 'log-clock-set', file, seconds });
  const further = all.length === 1 ? [] : all.map(({ url }) => url);
  return followLog(host, source, log, onSample, onClockSet, further);
}

/** The log has the times of this machine; nodes and pods have those of the API server. */
async function noteClockOffset({ cluster }: Site, monitor: Monitor): Promise<void> {
  try {
    const { offsetSeconds, uncertaintySeconds } = await cluster.clockOffset();
    monitor.note({ type: 'clock-offset', seconds: offsetSeconds, uncertaintySeconds });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
  }
}

/**
 * Seconds. Twice as long in a rehearsal, whose probes are the most of its work: 100 ms took 23 % more CPU, and 200 ms
 * takes 17 %.
 */
const usualEdges: Readonly<Record<RunIdentity['kind'], number>> = { cluster: 0.1, rehearsal: 0.2 };

/** A target for each application. */
async function monitorSettings(
  host: Host,
  [first, ...further]: readonly [Settings, ...Settings[]],
  kind: RunIdentity['kind'],
): Promise<MonitorSettings> {
  const { interval, edges, timeout, slow, expect, control } = first.monitor;
  const edgesSeconds = edgesWithin(edges ?? usualEdges[kind], interval);
  const targets = [await probedTarget(host, first)] as const;
  const others = await Promise.all(further.map((one) => probedTarget(host, one)));
  return {
    targets: [...targets, ...others],
    ...(others.length === 0 ? {} : { counted: [...targets, ...others] }),
    ...ownOf(first, further),
    ...(control === null ? {} : { control: { url: control } }),
    intervalSeconds: interval,
    ...(edgesSeconds === undefined ? {} : { edgesSeconds }),
    timeoutSeconds: timeout,
    slowSeconds: slow,
    expect,
    reused: true,
  };
}

/** The settings for the address of a further application that replace those of the first. */
function ownOf(first: Settings, further: readonly Settings[]): Pick<MonitorSettings, 'own'> {
  const told = ({ monitor: { expect, slow, timeout } }: Settings) => ({
    expect,
    slowSeconds: slow,
    timeoutSeconds: timeout,
  });
  const others = further.filter((one) => JSON.stringify(told(one)) !== JSON.stringify(told(first)));
  return others.length === 0 ? {} : { own: Object.fromEntries(others.map((one) => [one.url, told(one)])) };
}
