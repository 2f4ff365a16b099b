import * as z from 'zod';
import type { Host } from '../../host/host.ts';
import { shareOf } from '../../host/load/shares.ts';
import { wholeLoad } from '../../host/load/whole-load.ts';
import { reportLine, terminationMessage, type WorkerReport, work } from '../../host/load/worker.ts';
import { httpUrl } from '../../settings/http-url.ts';
import { generators } from '../../settings/load-settings.ts';
import { probeDuration } from '../../settings/probe-duration.ts';
import type { Perform } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { readFlags } from '../command/read-flags.ts';
import { wholeNumber } from '../command/whole-number.ts';

const schema = z.strictObject({
  url: httpUrl,
  requests: wholeNumber(1),
  concurrency: wholeNumber(1),
  timeout: probeDuration,
  rate: z.coerce.number().positive().optional(),
  workers: wholeNumber(1),
  index: wholeNumber(0),
  startsAt: z.string().min(1),
  report: z.string().min(1).optional(),
  generator: z.enum(generators).optional(),
});

/**
 * How often the file is read in which the common start will stand: the start is announced seconds before
 * (validation/load-job/load-job.ts, `leadSeconds`).
 */
const askEverySeconds = 0.25;

/**
 * `load-worker`: waits for the common start, makes its share of the requests, and ends its log with a report. 0 if it
 * sent its share, 1 if it sent less, and by a signal 128 + n with what was sent until then.
 */
export const loadWorker: Perform = async ({ host, environment }, { options }) => {
  const flags = readFlags(schema, { index: environment.JOB_COMPLETION_INDEX, ...options });
  const stop = new AbortController();
  let signalled: number | undefined;
  const forget = host.onSignal(['SIGTERM', 'SIGINT'], (name) => {
    signalled ??= name === 'SIGTERM' ? 15 : 2;
    stop.abort(name);
  });
  const start = startIn(host, flags.startsAt, stop.signal);
  const { url, requests, concurrency, timeout: timeoutSeconds, rate, generator } = flags;
  const plan = wholeLoad({ url, requests, concurrency, timeoutSeconds, rate, generator });
  const share = shareOf(plan, flags.workers, flags.index);
  host.talk.write(`worker ${flags.index} of ${flags.workers} waits for the start\n`);
  const report = await work(host, { index: flags.index, share, start, stop: stop.signal });
  host.out.write(reportLine(report));
  if (flags.report !== undefined) await append(host, flags.report, report);
  forget();
  if (signalled !== undefined) return 128 + signalled;
  return report.amiss === undefined ? exitCodes.done : exitCodes.failed;
};

/** The kubelet writes the file anew when the annotation of the pod that it shows is set. */
async function startIn({ clock, files }: Host, path: string, stop: AbortSignal): Promise<number | undefined> {
  while (!stop.aborted) {
    const at = Date.parse((await files.read(path))?.trim() ?? '');
    if (!Number.isNaN(at)) return at;
    await clock.sleep(askEverySeconds, stop).catch(() => undefined);
  }
  return undefined;
}

async function append({ files }: Host, path: string, report: WorkerReport): Promise<void> {
  const file = await files.append(path);
  await file.write(terminationMessage(report));
  await file.close();
}
