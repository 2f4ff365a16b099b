import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { edgesWithin } from '../../settings/edges-interval.ts';
import { type DowntimeLimit, downtimeLimit } from '../monitor/downtime-limit.ts';
import { followLog } from '../monitor/follow-log.ts';
import { followLogs } from '../monitor/follow-logs.ts';
import { type Monitor, type MonitorSettings, type OnProbe, startMonitor } from '../monitor/monitor.ts';
import { probedTarget } from '../observe/probed-target.ts';
import { startTimeline, type Timeline } from '../observe/timeline.ts';
import type { RunIdentity } from '../record/events.ts';
import { runFiles, vantageLogFile } from '../record/run-folder.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';
import type { OpenRun } from './order.ts';

/** What watches the application while phases 3 and 4 run. */
export interface Watches {
  readonly monitor: Monitor;
  readonly timeline: Timeline;
  /** Ends the run after too much downtime that no scenario predicts. */
  readonly limit: Pick<DowntimeLimit, 'expect'>;
}

/**
 * Phase 2 of 4.1: the downtime monitor runs until the phases have ended, and the watch of the cluster with it. The phases start when the
 * log has a fresh line and every kind was read once.
 */
export async function withMonitor(open: OpenRun, phases: (watches: Watches) => Promise<void>): Promise<void> {
  const { site, settings, journal, interruption } = open;
  // Of each prober by itself: the first that has seen so much downtime ends the run.
  const limits = (open.downtimeLogs?.length ? open.downtimeLogs : ['']).map(() =>
    downtimeLimit(open.abortAfterSeconds, interruption.abort),
  );
  const limit: Watches['limit'] = {
    expect: (seconds) => {
      for (const one of limits) one.expect(seconds);
    },
  };
  const monitor = await openMonitor(
    open,
    limits.map(({ onProbe }) => (...probed) => {
      onProbe(...probed);
      open.onSample?.(...probed);
    }),
  );
  const timeline = startTimeline(site, settings, journal, interruption.fail);
  try {
    // First, because the log of a monitor elsewhere may have no fresh line, and then there is nothing to wait for.
    await monitor.readyToAct(interruption.signal);
    await timeline.synced;
    await phases({ monitor, timeline, limit });
  } finally {
    await timeline.stop();
    await monitor.stop();
  }
}

/** An own monitor, or a follower of the logs of others elsewhere; notes the clock of the API server in the log. */
async function openMonitor(open: OpenRun, onSamples: readonly OnProbe[]): Promise<Monitor> {
  const { site, interruption } = open;
  const monitor = await ownOrFollowed(open, onSamples);
  // Without its authoritative log a run must not go on disturbing anything.
  monitor.finished.catch((error: unknown) => interruption.fail(error));
  interruption.hurry.addEventListener('abort', () => monitor.abandon());
  await noteClockOffset(site, monitor);
  return monitor;
}

async function ownOrFollowed(
  { site: { host }, settings, folder, run, journal, downtimeLogs = [], rule = 'any' }: OpenRun,
  onSamples: readonly OnProbe[],
): Promise<Monitor> {
  const sources = onSamples.map((onProbe, index) => ({
    source: downtimeLogs[index] ?? '',
    copy: `${folder}/${vantageLogFile(index)}`,
    onProbe,
    onClockSet: (seconds: number) => journal.record({ type: 'log-clock-set', file: vantageLogFile(index), seconds }),
  }));
  const [first, ...more] = sources;
  if (first === undefined || downtimeLogs.length === 0) {
    const log = `${folder}/${runFiles.downtimeLog}`;
    return startMonitor(host, await monitorSettings(host, settings, run.kind), log, first?.onProbe);
  }
  return more.length === 0
    ? followLog(host, first.source, first.copy, first.onProbe, first.onClockSet)
    : followLogs(host, sources, rule);
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

/** Seconds. Twice as long in a rehearsal, whose probes are the most of its work: 100 ms took 23 % more CPU, and 200 ms takes 17 %. */
const usualEdges: Readonly<Record<RunIdentity['kind'], number>> = { cluster: 0.1, rehearsal: 0.2 };

async function monitorSettings(host: Host, settings: Settings, kind: RunIdentity['kind']): Promise<MonitorSettings> {
  const { interval, edges, timeout, slow, expect, control } = settings.monitor;
  const edgesSeconds = edgesWithin(edges ?? usualEdges[kind], interval);
  return {
    targets: [await probedTarget(host, settings)],
    ...(control === null ? {} : { control: { url: control } }),
    intervalSeconds: interval,
    ...(edgesSeconds === undefined ? {} : { edgesSeconds }),
    timeoutSeconds: timeout,
    slowSeconds: slow,
    expect,
    reused: true,
  };
}
