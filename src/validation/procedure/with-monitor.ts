import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { edgesWithin } from '../../settings/edges-interval.ts';
import { type DowntimeLimit, downtimeLimit } from '../monitor/downtime-limit.ts';
import { followLog } from '../monitor/follow-log.ts';
import { type Monitor, type MonitorSettings, type OnProbe, startMonitor } from '../monitor/monitor.ts';
import { probedTarget } from '../observe/probed-target.ts';
import { startTimeline, type Timeline } from '../observe/timeline.ts';
import type { RunIdentity } from '../record/events.ts';
import { runFiles } from '../record/run-folder.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';
import type { OpenRun } from './order.ts';

/** What watches the application while phases 3 and 4 run. */
export interface Watches {
  readonly monitor: Monitor;
  readonly timeline: Timeline;
  /** Ends the run after too much downtime that no scenario predicts. */
  readonly limit: DowntimeLimit;
}

/**
 * Phase 2 of 4.1: the downtime monitor runs until the phases have ended, and the watch of the cluster with it. The phases start when the
 * log has a fresh line and every kind was read once.
 */
export async function withMonitor(open: OpenRun, phases: (watches: Watches) => Promise<void>): Promise<void> {
  const { site, settings, journal, interruption } = open;
  const limit = downtimeLimit(open.abortAfterSeconds, interruption.abort);
  const monitor = await openMonitor(open, (...probed) => {
    limit.onProbe(...probed);
    open.onSample?.(...probed);
  });
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

/** An own monitor, or a follower of the log of one elsewhere; notes the clock of the API server in the log. */
async function openMonitor(
  { site, settings, folder, run, interruption, downtimeLog }: OpenRun,
  onSample: OnProbe,
): Promise<Monitor> {
  const log = `${folder}/${runFiles.downtimeLog}`;
  const monitor =
    downtimeLog === undefined
      ? await startMonitor(site.host, await monitorSettings(site.host, settings, run.kind), log, onSample)
      : await followLog(site.host, downtimeLog, log, onSample);
  // Without its authoritative log a run must not go on disturbing anything.
  monitor.finished.catch((error: unknown) => interruption.fail(error));
  interruption.hurry.addEventListener('abort', () => monitor.abandon());
  await noteClockOffset(site, monitor);
  return monitor;
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
