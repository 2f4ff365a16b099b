import type { ConnectionUse, ProbeError, Sample } from '../../host/host.ts';
import { formatDuration, parseDuration } from '../../settings/duration.ts';

/** The first line of a downtime log, and of each part that a later monitor appended. */
export interface LogHeader {
  readonly targets: readonly string[];
  /** Something else that is always up: while it fails, nothing is known of the targets. */
  readonly control?: string;
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  readonly slowSeconds: number;
  readonly expect: number;
}

/** What a sample's line says after the specification's three fields. */
export interface LineExtra {
  readonly connection: ConnectionUse;
  readonly error?: ProbeError;
  readonly bodyMatched?: false;
  readonly target?: string;
  /** No sample, but so many ticks of which nothing is known. */
  readonly unknownTicks?: number;
}

/** What a log is read by that says nothing of itself: the settings of `monitor` without a flag (contract section 1). */
export const USUAL_HEADER: LogHeader = {
  targets: [],
  intervalSeconds: 1,
  timeoutSeconds: 10,
  slowSeconds: 1,
  expect: 200,
};

const MAGIC = '# holdfast downtime-log';
const VERSION = 1;
/** Put behind a line that was torn when its monitor died: what it says is not to be trusted. */
export const TORN = ' torn=yes\n';

/** Contract section 3. With the line's end. */
export function formatHeader(header: LogHeader): string {
  const { targets, control, intervalSeconds, timeoutSeconds, slowSeconds, expect } = header;
  const durations = { interval: intervalSeconds, timeout: timeoutSeconds, slow: slowSeconds };
  return [
    `${MAGIC} ${VERSION}`,
    ...targets.map((target) => `target=${target}`),
    ...(control === undefined ? [] : [`control=${control}`]),
    ...Object.entries(durations).map(([key, seconds]) => `${key}=${formatDuration(seconds)}`),
    `expect=${expect}\n`,
  ].join(' ');
}

/** Undefined for a line that is no header; a version that is not ours is a header without settings. */
export function parseHeader(line: string): LogHeader | { readonly version: string } | undefined {
  if (!line.startsWith(`${MAGIC} `)) return undefined;
  const [version = '', ...settings] = line.slice(MAGIC.length).trim().split(' ');
  if (version !== String(VERSION)) return { version };
  const pairs = words(settings.join(' '));
  const value = (wanted: string) => pairs.find(([key]) => key === wanted)?.[1] ?? '';
  const control = value('control');
  return {
    ...(control === '' ? {} : { control }),
    targets: pairs.filter(([key]) => key === 'target').map(([, target]) => target),
    intervalSeconds: parseDuration(value('interval')) || USUAL_HEADER.intervalSeconds,
    timeoutSeconds: parseDuration(value('timeout')) || USUAL_HEADER.timeoutSeconds,
    slowSeconds: parseDuration(value('slow')) ?? USUAL_HEADER.slowSeconds,
    expect: Number(value('expect')) || USUAL_HEADER.expect,
  };
}

/** Contract section 3, with the line's end; the target is said where a log has more than one. A bad sample also says where its time went. */
export function formatSample(sample: Sample, bad: boolean, target?: string): string {
  const status = String(sample.status).padStart(3, '0');
  const extra = [
    ...(sample.error === undefined ? [] : [`error=${sample.error}`]),
    ...(sample.bodyMatched === false ? ['body=no'] : []),
    ...(sample.connection === 'new' ? [] : [`connection=${sample.connection}`]),
    ...(target === undefined ? [] : [`target=${target}`]),
    ...(bad ? Object.entries(sample.phases).map(([phase, seconds]) => `${phase}=${seconds.toFixed(3)}`) : []),
  ];
  return `${[new Date(sample.at).toISOString(), status, sample.seconds.toFixed(3), ...extra].join(' ')}\n`;
}

const ERRORS: ReadonlySet<string> = new Set<ProbeError>([
  'dns',
  'refused',
  'connect',
  'reset',
  'tls',
  'timeout',
  'body',
]);

const KEYS: ReadonlySet<string> = new Set([
  ...['error', 'body', 'connection', 'target', 'torn'],
  ...['dns', 'connect', 'tls', 'firstByte'],
]);

/** Whether only a monitor of ours writes such words behind the third field. */
export function areOurs(text: string): boolean {
  return text !== '' && words(text).some(([key, value]) => value !== '' && KEYS.has(key));
}

/** The words behind the third field. Undefined when the line is torn or says what no monitor writes; unknown keys are passed over. */
export function parseExtra(text: string): LineExtra | undefined {
  const { error, body, connection = 'new', target, torn } = Object.fromEntries(words(text));
  const known =
    torn === undefined &&
    (error === undefined || ERRORS.has(error)) &&
    (body === undefined || body === 'no') &&
    (connection === 'new' || connection === 'reused');
  if (!known) return undefined;
  return {
    connection,
    ...(error === undefined ? {} : { error: error as ProbeError }),
    ...(body === undefined ? {} : { bodyMatched: false }),
    ...(target === undefined ? {} : { target }),
  };
}

/** What one monitor or loop wrote, and by which settings. */
export interface LogPart extends LogHeader {
  readonly format: 'holdfast' | 'curl';
  /** Of its times: a `date` without a fraction has whole seconds. */
  readonly resolutionSeconds: number;
}

/** Instants are epoch milliseconds, and never go back: where the clock did, what follows is shifted. */
export interface LogListener {
  readonly part: (part: LogPart) => void;
  /** A sample, or ticks of which nothing is known; in the order of the starts. */
  readonly line: TakeLine<LineExtra>;
  /** The monitor itself stood still; told before the lines that it touches. */
  readonly stall: (from: number, to: number) => void;
  readonly clockStep: (seconds: number) => void;
}

/** A line of the log as numbers: start (epoch milliseconds), status, milliseconds, and the words behind them. */
export type TakeLine<Extra> = (at: number, status: number, millis: number, extra: Extra) => void;

/** `key=value` words, as our log has them; a word without `=` has no value. */
export function words(text: string): readonly (readonly [key: string, value: string])[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const equals = word.indexOf('=');
      return equals < 0 ? [word, ''] : [word.slice(0, equals), word.slice(equals + 1)];
    });
}
