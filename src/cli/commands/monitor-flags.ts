import * as z from 'zod';
import { UsageError } from '../../host/errors.ts';
import type { Target } from '../../host/host.ts';
import { parseDuration } from '../../settings/duration.ts';
import { edgesInterval } from '../../settings/edges-interval.ts';
import { expectedStatus } from '../../settings/expected-status.ts';
import { httpUrl } from '../../settings/http-url.ts';
import { probeDuration } from '../../settings/probe-duration.ts';
import { duration } from '../../settings/read-settings.ts';
import { requestOptions } from '../../settings/request-options.ts';
import { share } from '../../settings/share.ts';
import type { Rotation } from '../../validation/downtime-log/lasting-log.ts';
import type { Kept } from '../../validation/downtime-log/remove-old.ts';
import type { MonitorSettings } from '../../validation/monitor/monitor-settings.ts';
import type { RawArguments } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { mistakesOf } from '../command/mistakes.ts';
import { flagsIn } from '../command/read-flags.ts';
import { wholeNumber } from '../command/whole-number.ts';
import { onOutput } from '../runs/log-on-output.ts';
import { type AskedTarget, askedTarget } from '../settings/asked-target.ts';
import { type ReadTarget, readTargets } from '../settings/read-targets.ts';
import { requestMistakes } from '../settings/request-mistakes.ts';
import { withEnvironment } from '../settings/with-environment.ts';

export interface MonitorFlags {
  readonly settings: MonitorSettings;
  readonly log: string;
  /** When a new file is begun; absent: never. */
  readonly rotate?: Rotation | undefined;
  /** How much of the rotated files stays; absent: all. */
  readonly kept?: Kept | undefined;
  /** Absent: until it is stopped. */
  readonly durationSeconds?: number | undefined;
  /** The share of the probes that may be unknown, from 0 to 1; absent: the usual one. */
  readonly maxUnknown?: number | undefined;
  /** Bad samples in a row before a message is sent; absent: as the settings file has it. */
  readonly alertAfter?: number | undefined;
  /** Where to serve metrics for Prometheus. */
  readonly metrics?: { readonly host: string; readonly port: number } | undefined;
}

/** `:9100` is that port of loopback, so that nobody else reads the metrics by default. */
const address = z.string().transform((text, context) => {
  const [, host, port] = /^(.*):(\d+)$/.exec(text) ?? [];
  if (host !== undefined && Number(port) < 0x10000) return { host: host || '127.0.0.1', port: Number(port) };
  const message =
    port === undefined
      ? `is '${text}', which is not an address such as :9100 or 10.0.0.5:9100`
      : `is '${text}', and the highest port is 65535`;
  context.issues.push({ code: 'custom', message, input: text });
  return z.NEVER;
});
const redirects = z
  .string()
  .refine((text) => /^(-1|\d+)$/.test(text), {
    error: ({ input }) => `is '${input}', which is no number of redirects: 0 or more, or -1 for any`,
  })
  .transform(Number);
const bytesOf: Readonly<Record<string, number>> = {
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};
/** NaN for a text that is no size. */
function bytesIn(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,6}(?:\.\d+)?)([kKMG]i?B)$/.exec(text) ?? [];
  return Math.round(Number(digits) * (bytesOf[unit] ?? Number.NaN));
}
const rotation = z.string().transform((text, context): Rotation => {
  const bytes = bytesIn(text);
  if (text === 'daily') return text;
  if (bytes > 0) return { bytes };
  const message = `is '${text}', which is neither daily nor a size such as 100MB`;
  context.issues.push({ code: 'custom', message, input: text });
  return z.NEVER;
});
const sizeOfLog = z.string().transform((text, context): number => {
  const bytes = bytesIn(text);
  if (bytes > 0) return bytes;
  context.issues.push({ code: 'custom', message: `is '${text}', which is no size such as 700MB`, input: text });
  return z.NEVER;
});
const secondsOfDay = 24 * 3600;
const age = z.string().transform((text, context): number => {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  const seconds = days === undefined ? (parseDuration(text) ?? 0) : Number(days) * secondsOfDay;
  if (seconds > 0) return seconds;
  context.issues.push({ code: 'custom', message: `is '${text}', which is no age such as 90d or 12h`, input: text });
  return z.NEVER;
});
const { headers: header, ...options } = requestOptions;
const request = { ...options, header, maxRedirs: redirects.exactOptional() };
const schema = z.strictObject({
  url: httpUrl.optional(),
  target: z.array(httpUrl).default([]),
  targets: z.string().optional(),
  log: z.string().default('downtime.log'),
  body: z.string().min(1).optional(),
  rotate: rotation.optional(),
  keepSize: sizeOfLog.optional(),
  keepAge: age.optional(),
  interval: probeDuration.prefault('1s'),
  edges: edgesInterval.prefault('0'),
  reused: z.boolean().default(true),
  timeout: probeDuration.prefault('10s'),
  slow: probeDuration.prefault('1s'),
  expect: expectedStatus.prefault('200'),
  duration: duration.optional(),
  maxUnknown: share.optional(),
  alertAfter: wholeNumber(1).optional(),
  metrics: address.optional(),
  ...request,
});

/** The command's flags; everything wrong with them, and with the file of targets, is one `UsageError`. */
export async function monitorFlags(
  context: Pick<Context, 'host' | 'environment'> & Partial<Pick<Context, 'flags'>>,
  { options, operands }: RawArguments,
): Promise<MonitorFlags> {
  const { header: typed, proxy } = options;
  const filled = withEnvironment('the command line', { header: typed, proxy }, context.environment);
  const read = flagsIn(schema, { ...options, ...(filled.value as object), url: operands[0] }, ['url']);
  const fromFile = typeof options.targets === 'string' ? readTargets(context, options.targets) : Promise.resolve([]);
  // Its mistakes are told beside the others, which are looked for first.
  fromFile.catch(() => undefined);
  const unseen = await requestMistakes(context.host.files, options);
  const asked = 'settings' in read && unseen.length === 0 ? await targetsOf(context, read.settings) : [];
  const mistakes = [
    ...filled.mistakes,
    ...('mistakes' in read ? read.mistakes : []),
    ...unseen.map((mistake) => `--${mistake}`),
    ...new Set(asked.flatMap((one) => ('mistake' in one ? [one.mistake] : []))),
    ...(await mistakesOf(fromFile)),
    ...('settings' in read ? [...slowEdges(read.settings), ...keepMistakes(read.settings)] : []),
    ...pipedMistakes(context, options),
  ];
  if (mistakes.length > 0 || 'mistakes' in read) throw new UsageError(mistakes);
  const { settings: given } = read;
  const all = [
    ...asked.flatMap((one) => ('target' in one ? [{ target: one.target, own: {} }] : [])),
    ...(await fromFile),
  ];
  const targets = distinct(all.map(({ target }) => target));
  return {
    settings: {
      targets,
      intervalSeconds: given.interval,
      ...(given.edges === 0 ? {} : { edgesSeconds: given.edges }),
      timeoutSeconds: given.timeout,
      slowSeconds: given.slow,
      expect: given.expect,
      reused: given.reused,
      ...ownOf(all),
    },
    log: given.log,
    rotate: given.rotate,
    kept: keptOf(given),
    durationSeconds: given.duration,
    maxUnknown: given.maxUnknown,
    alertAfter: given.alertAfter,
    metrics: given.metrics,
  };
}

/** The lines of the log are all that standard output has, and it is no file. */
function pipedMistakes(
  { flags }: Partial<Pick<Context, 'flags'>>,
  { log, rotate, maxUnknown }: RawArguments['options'],
): readonly string[] {
  if (log !== onOutput) return [];
  return [
    ...(rotate === undefined ? [] : ['--rotate begins new files, and --log - writes none: leave one of them out.']),
    ...(maxUnknown === undefined
      ? []
      : ['--max-unknown judges the log at the end, and --log - keeps none: leave one of them out.']),
    ...(flags?.json === true ? ['--json prints one document, and --log - the log: leave one of them out.'] : []),
  ];
}

function keptOf({ keepSize, keepAge }: z.output<typeof schema>): Kept | undefined {
  if (keepSize === undefined && keepAge === undefined) return undefined;
  return {
    ...(keepSize === undefined ? {} : { bytes: keepSize }),
    ...(keepAge === undefined ? {} : { seconds: keepAge }),
  };
}

function keepMistakes({ rotate, keepSize, keepAge }: z.output<typeof schema>): readonly string[] {
  if (keepSize === undefined && keepAge === undefined) return [];
  if (rotate === undefined)
    return ['--keep-size and --keep-age remove rotated files: add --rotate, such as --rotate 100MB.'];
  const isTooSmall = keepSize !== undefined && rotate !== 'daily' && keepSize < 2 * rotate.bytes;
  return isTooSmall ? ['--keep-size must be twice the size of --rotate or more: the file that is written counts.'] : [];
}

const slowEdges = ({ edges, interval }: z.output<typeof schema>): readonly string[] =>
  edges < interval ? [] : ['--edges must be shorter than --interval: slower probes sharpen nothing.'];

/** The log lines of a single target do not name it, so that its own settings become the general ones. */
function ownOf(all: readonly ReadTarget[]): Partial<MonitorSettings> {
  const [first, ...others] = all.filter(({ own }) => Object.keys(own).length > 0);
  if (first === undefined) return {};
  if (all.length === 1) return first.own;
  return { own: Object.fromEntries([first, ...others].map(({ target, own }) => [target.url, own])) };
}

/** The flags of a request hold for the URL and for each `--target`. */
function targetsOf(
  context: Pick<Context, 'host' | 'environment'>,
  { url, target, header: headers, body, ...given }: z.output<typeof schema>,
): Promise<readonly AskedTarget[]> {
  const urls = [...(url === undefined ? [] : [url]), ...target];
  const asked = { ...given, ...(headers === undefined ? {} : { headers }) };
  return Promise.all(
    urls.map(async (one) => {
      const answer = await askedTarget(context, one, asked);
      return 'target' in answer && body !== undefined ? { target: { ...answer.target, body } } : answer;
    }),
  );
}

/** The lines of the log tell targets apart by their URL. */
function distinct(targets: readonly Target[]): readonly [Target, ...Target[]] {
  const [first, ...others] = targets;
  if (first === undefined) throw new UsageError(['URL is missing: give one, or --targets FILE.']);
  const twice = targets.filter(({ url }, index) => targets.findIndex((one) => one.url === url) < index);
  if (twice.length === 0) return [first, ...others];
  const ask = 'give each a fragment of its own, such as #ipv6, which is not sent';
  throw new UsageError(twice.map(({ url }) => `${url} is there more than once: ${ask}.`));
}
