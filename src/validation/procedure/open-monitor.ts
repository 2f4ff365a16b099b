import { OperationError } from '../../host/errors.ts';
import { followLog } from '../monitor/follow-log.ts';
import { type HearSample, type Monitor, type MonitorSettings, startMonitor } from '../monitor/monitor.ts';
import { runFiles } from '../record/run-folder.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';
import type { Interruption } from './interruption.ts';

/** Phase 2: the monitor of a run, or the log of one elsewhere, with the clock of the API server in its log. Its end is the run's. */
export async function openMonitor(
  site: Site,
  settings: Settings,
  folder: string,
  interruption: Interruption,
  heard: HearSample,
  source?: string,
): Promise<Monitor> {
  const log = `${folder}/${runFiles.downtimeLog}`;
  const monitor =
    source === undefined
      ? await startMonitor(site.host, monitorSettings(settings), log, heard)
      : await followLog(site.host, source, log, heard);
  // Without its authoritative log a run must not go on disturbing anything.
  monitor.finished.catch((error: unknown) => interruption.fail(error));
  interruption.hurry.addEventListener('abort', () => monitor.abandon());
  await noteClockOffset(site, monitor);
  return monitor;
}

/** The log's times are this machine's, and those of nodes and pods the server's. */
async function noteClockOffset({ cluster }: Site, monitor: Monitor): Promise<void> {
  try {
    const { offsetSeconds, uncertaintySeconds } = await cluster.clockOffset();
    monitor.note({ type: 'clock-offset', seconds: offsetSeconds, uncertaintySeconds });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
  }
}

function monitorSettings({ url, monitor }: Settings): MonitorSettings {
  const { interval, timeout, slow, expect, body, control } = monitor;
  return {
    targets: [{ url, ...(body === null ? {} : { body }) }],
    ...(control === null ? {} : { control: { url: control } }),
    intervalSeconds: interval,
    timeoutSeconds: timeout,
    slowSeconds: slow,
    expect,
    reused: true,
  };
}
