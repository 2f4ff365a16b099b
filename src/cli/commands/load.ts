import * as z from 'zod';
import { UsageError } from '../../host/errors.ts';
import type { LoadPlan, LoadTold, Target } from '../../host/host.ts';
import { total } from '../../host/load/tally.ts';
import { type ExpectedStatuses, expectedStatus, isExpected } from '../../settings/expected-status.ts';
import { httpUrl } from '../../settings/http-url.ts';
import { probeDuration } from '../../settings/probe-duration.ts';
import { duration } from '../../settings/read-settings.ts';
import { requestOptions } from '../../settings/request-options.ts';
import type { Perform, RawArguments } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes, signalCodes } from '../command/exit-codes.ts';
import { flagsIn } from '../command/read-flags.ts';
import { wholeNumber } from '../command/whole-number.ts';
import { type AskedTarget, askedTarget } from '../settings/asked-target.ts';
import { requestMistakes } from '../settings/request-mistakes.ts';
import { withEnvironment } from '../settings/with-environment.ts';

/** `300/s`, `300`, or `90/m`, in requests a second. */
const rate = z.string().transform((text, context) => {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)(?:\/(s|m))?$/.exec(text) ?? [];
  const perSecond = Number(number) / (unit === 'm' ? 60 : 1);
  if (perSecond > 0) return perSecond;
  context.issues.push({ code: 'custom', message: `is '${text}', which is no rate such as 300/s or 90/m`, input: text });
  return z.NEVER;
});
const {
  headers: header,
  location: _location,
  bodyContains: _body,
  maxRedirs: _redirects,
  http2: _http2,
  ...request
} = requestOptions;
const schema = z.strictObject({
  url: httpUrl,
  requests: wholeNumber(1).optional(),
  concurrency: wholeNumber(1).prefault('500'),
  rate: rate.optional(),
  duration: duration.optional(),
  timeout: probeDuration.prefault('10s'),
  expect: expectedStatus.prefault('200'),
  ...request,
  header,
});
type Flags = z.output<typeof schema>;

/** The specification, section 8: requests of a load test. */
const usualRequests = 20_000;

/**
 * `load URL`: makes many requests from here and says what came back, and how fast. 0 if every answer was as expected, 1
 * if one was not, or was not sent, and by a signal 128 + n with what came until then.
 */
export const load: Perform = async (context, given) => {
  const { host, flags } = context;
  const { asked, target } = await loadFlags(context, given);
  const plan = planOf(asked, target);
  const ended = new AbortController();
  let signalled: number | undefined;
  const forget = host.onSignal(['SIGINT', 'SIGTERM'], (name) => {
    signalled ??= signalCodes[name as 'SIGINT' | 'SIGTERM'];
    ended.abort();
  });
  const over = new AbortController();
  const time = host.clock.sleep(endsAfterSeconds(asked), over.signal);
  time.then(() => ended.abort()).catch(() => undefined);
  if (!flags.quiet) host.talk.write(`${sentence(plan, asked)} Ctrl-C stops.\n`);
  const told = await host.load(plan, undefined, ended.signal).finally(() => {
    over.abort();
    forget();
  });
  const document = documentOf(plan, told);
  host.out.write(flags.json ? `${JSON.stringify(document)}\n` : textOf(document, asked.expect));
  return signalled ?? (isAsExpected(document, asked.expect) ? exitCodes.done : exitCodes.failed);
};

async function loadFlags(
  context: Context,
  { options, operands }: RawArguments,
): Promise<{ readonly asked: Flags; readonly target: Target }> {
  const { header: typed, proxy } = options;
  const filled = withEnvironment('the command line', { header: typed, proxy }, context.environment);
  const read = flagsIn(schema, { ...options, ...(filled.value as object), url: operands[0] }, ['url']);
  const unseen = await requestMistakes(context.host.files, options);
  const target = 'settings' in read && unseen.length === 0 ? await targetOf(context, read.settings) : undefined;
  const mistakes = [
    ...filled.mistakes,
    ...('mistakes' in read ? read.mistakes : []),
    ...unseen.map((mistake) => `--${mistake}`),
    ...(target !== undefined && 'mistake' in target ? [target.mistake] : []),
    ...(options.request === 'HEAD' ? ['--request HEAD has answers without a body, which a load does not read.'] : []),
  ];
  if (mistakes.length > 0 || 'mistakes' in read || target === undefined || 'mistake' in target)
    throw new UsageError(mistakes);
  return { asked: read.settings, target: target.target };
}

function targetOf(context: Context, { url, header: headers, ...given }: Flags): Promise<AskedTarget> {
  return askedTarget(context, url, { ...given, ...(headers === undefined ? {} : { headers }) });
}

/** As many requests as the rate makes in the time; without a rate as many as are answered in it. */
function planOf({ requests, concurrency, rate, duration: seconds, timeout }: Flags, target: Target): LoadPlan {
  const inTime =
    seconds === undefined ? usualRequests : rate === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil(rate * seconds);
  return {
    url: target.url,
    target,
    requests: requests ?? inTime,
    concurrency,
    timeoutSeconds: timeout,
    ...(rate === undefined ? {} : { rate: { perSecond: rate, first: 0, every: 1 } }),
  };
}

/** A rate ends by itself, with the last request of its time. */
const endsAfterSeconds = ({ requests, rate, duration: seconds = Number.POSITIVE_INFINITY }: Flags): number =>
  rate !== undefined && requests === undefined ? Number.POSITIVE_INFINITY : seconds;

const isUncounted = ({ requests }: LoadPlan): boolean => requests === Number.MAX_SAFE_INTEGER;

function sentence(plan: LoadPlan, { duration: seconds }: Flags): string {
  const count = isUncounted(plan) ? `Requests for ${seconds} s` : `${plan.requests} requests`;
  const rhythm = plan.rate === undefined ? '' : ` at ${plan.rate.perSecond}/s`;
  return `${count} to ${plan.url}${rhythm}, at most ${plan.concurrency} at once.`;
}

/** schemas/load.schema.json. Durations are seconds. */
interface LoadDocument {
  readonly schemaVersion: 1;
  readonly requests: number;
  readonly statuses: LoadTold['statuses'];
  readonly errors: LoadTold['errors'];
  readonly unsent: number;
  readonly seconds: number;
  /** Requests a second that were made. */
  readonly rate: number;
  /** Null without an answer. */
  readonly latency: { readonly p50: number; readonly p90: number; readonly p99: number; readonly max: number } | null;
  /** From when the time of a request counts: when it was due, or when it was sent. */
  readonly from: 'due' | 'sent';
}

function documentOf(plan: LoadPlan, told: LoadTold): LoadDocument {
  const { statuses, errors, seconds, percentiles } = told;
  const made = total(statuses) + total(errors as Record<string, number>);
  const { p50, p90, p99, max } = percentiles ?? { p50: 0, p90: 0, p99: 0, max: 0 };
  return {
    schemaVersion: 1,
    requests: isUncounted(plan) ? made : plan.requests,
    statuses,
    errors,
    unsent: isUncounted(plan) ? 0 : plan.requests - made,
    seconds,
    rate: seconds > 0 ? Math.round((10 * made) / seconds) / 10 : 0,
    latency: total(statuses) === 0 ? null : { p50, p90, p99, max },
    from: plan.rate === undefined ? 'sent' : 'due',
  };
}

const isAsExpected = ({ statuses, errors, unsent }: LoadDocument, expect: ExpectedStatuses): boolean =>
  unsent === 0 &&
  Object.keys(errors).length === 0 &&
  Object.keys(statuses).every((status) => isExpected(Number(status), expect));

function textOf(document: LoadDocument, expect: ExpectedStatuses): string {
  const { requests, statuses, errors, unsent, seconds, rate: made, latency, from } = document;
  const counts = [
    ...Object.entries(statuses),
    ...Object.entries(errors),
    ...(unsent === 0 ? [] : [['not sent', unsent] as const]),
  ];
  const shown = (value: number) => value.toFixed(3);
  return [
    `${requests} requests in ${shown(seconds)} s, ${made}/s`,
    ...counts.map(([what, count]) => `  ${what.padEnd(16)}${count}`),
    ...(latency === null
      ? []
      : [
          `latency from when each was ${from}  p50 ${shown(latency.p50)}  p90 ${shown(latency.p90)}  p99 ${shown(latency.p99)}  max ${shown(latency.max)} s`,
        ]),
    isAsExpected(document, expect) ? `Every answer was ${expect}.` : `Not every answer was ${expect}.`,
    '',
  ].join('\n');
}
