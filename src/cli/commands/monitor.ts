import { z } from 'zod';
import { OperationError, UsageError } from '../../host/errors.ts';
import type { Sample, Target } from '../../host/host.ts';
import { formatDuration } from '../../settings/duration.ts';
import { duration } from '../../settings/read-settings.ts';
import { analyze } from '../../validation/analyze.ts';
import { type HearSample, type Monitor, type MonitorSettings, startMonitor } from '../../validation/monitor.ts';
import type { Perform } from '../command.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { readFlags } from '../read-flags.ts';
import { paint } from '../text.ts';
import { analysisText } from './analysis-text.ts';
import { expectedStatus } from './expected-status.ts';

/** A hundred probes a second of one target are load, no longer probing. */
const SHORTEST_SECONDS = 0.01;

const length = (text: string) =>
  duration.prefault(text).refine((seconds) => seconds >= SHORTEST_SECONDS, { error: 'must be 10ms or longer' });
const target = z.string().transform((text, context): Target => {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return { url: url.href };
  const message = `is '${text}', which is not an http:// or https:// address without a password`;
  context.issues.push({ code: 'custom', message, input: text });
  return z.NEVER;
});
const schema = z.strictObject({
  url: target,
  target: z.array(target).default([]),
  log: z.string().default('downtime.log'),
  interval: length('1s'),
  timeout: length('10s'),
  slow: length('1s'),
  expect: expectedStatus.prefault('200'),
  duration: duration.optional(),
});

/** `monitor URL`: probes until it is stopped, then tells what it saw. 0 without an outage, 1 with one, 2 when it cannot start. */
export const monitor: Perform = async (context, { options, operands }) => {
  const { host } = context;
  const { url, target: more, log, ...given } = readFlags(schema, { ...options, url: operands[0] });
  const settings: MonitorSettings = {
    targets: [url, ...more],
    intervalSeconds: given.interval,
    timeoutSeconds: given.timeout,
    slowSeconds: given.slow,
    expect: given.expect,
    reused: true,
  };
  const startedAt = host.clock.wallAt();
  let samples = 0;
  const flag = flagging(context);
  const heard: HearSample = (...sample) => {
    samples += 1;
    flag(...sample);
  };
  const running = await startMonitor(host, settings, log, heard).catch(unwritable);
  talk(context, `Probing ${url.url} every ${formatDuration(given.interval)} into ${log}. Ctrl-C ends it.`);
  await untilStopped(context, running, given.duration);
  if (samples > 0) return tell(context, log, startedAt);
  talk(context, 'No probe ended before that: nothing is known.');
  return exitCodes.failed;
};

function talk({ host, flags }: Context, sentence: string): void {
  if (!flags.quiet) host.talk.write(`${sentence}\n`);
}

/** An unwritable log is a mistake in the command, as long as nothing has begun. */
function unwritable(error: unknown): never {
  if (error instanceof OperationError) throw new UsageError([`the downtime log cannot be written: ${error.message}`]);
  throw error;
}

/** Each bad sample, when it ends. */
function flagging(context: Context): HearSample {
  const { bad } = paint(context.flags.color && context.host.talk.isTTY);
  return (sample, { url }, kind) => {
    if (kind !== undefined) talk(context, `${bad(flagged(sample, kind))}  ${url}`);
  };
}

function flagged({ at, status, seconds, connection }: Sample, kind: string): string {
  const time = new Date(at).toISOString().slice(11, 23);
  const kept = connection === 'reused' ? ' on a kept connection' : '';
  return `${time}  ${String(status).padStart(3, '0')}  ${seconds.toFixed(3)} s  ${kind}${kept}`;
}

/** The first signal waits for the probes under way, a second one does not; either way nothing is lost. */
async function untilStopped(context: Context, running: Monitor, durationSeconds: number | undefined): Promise<void> {
  const { host } = context;
  const stopping = new AbortController();
  const forget = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => {
    if (stopping.signal.aborted) return running.abandon();
    stopping.abort();
    talk(context, 'Stopping when the probes under way have ended; Ctrl-C again leaves them unknown.');
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

async function tell({ host, flags }: Context, log: string, startedAt: number): Promise<number> {
  const analysis = await analyze(host.files, log, { from: startedAt });
  host.out.write(flags.json ? `${JSON.stringify(analysis)}\n` : analysisText(log, analysis, paint(flags.color)));
  return analysis.outages.length === 0 ? exitCodes.done : exitCodes.failed;
}
