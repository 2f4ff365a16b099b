import type { ConnectionUse, ProbeError, Sample } from '../../host/host.ts';
import { probeErrors } from '../../host/probe/probe-errors.ts';
import { formatDuration, parseDuration } from '../../settings/duration.ts';
import { type ExpectedStatuses, readExpected } from '../../settings/expected-status.ts';
import { type OwnSettings, ownIn, ownWords } from './own-settings.ts';
import { plateauOf } from './plateau.ts';

/** The settings in the first line of a downtime log, and of each part that a later monitor appended. */
export interface LogHeader {
  readonly targets: readonly string[];
  /** By target: the names of what makes its requests differ from a plain GET. They are written, and not read back. */
  readonly options?: Readonly<Record<string, readonly string[]>>;
  /** A URL that is always up: while it fails, the prober has trouble, and nothing is known about the targets. */
  readonly control?: string;
  readonly intervalSeconds: number;
  /** Between two probes of the edges; absent without them. */
  readonly edgesSeconds?: number;
  readonly timeoutSeconds: number;
  readonly slowSeconds: number;
  readonly expect: ExpectedStatuses;
  /** By target: its own values, which replace the last two. */
  readonly own?: Readonly<Record<string, OwnSettings>>;
}

/** The words of a sample's line behind its first three fields. */
export interface LineExtra {
  readonly connection: ConnectionUse;
  /** Of the faster probes that sharpen the ends of an outage. */
  readonly edge?: true;
  readonly error?: ProbeError;
  readonly bodyMatched?: false;
  /** The reason that the line names, or the plateau on which its time lies. */
  readonly cause?: string;
  /** The line may have been written before. */
  readonly again?: true;
  /** Undefined for the first target. */
  readonly target?: string;
}

/** Those of `holdfast monitor` without a flag (docs/contract.md, "Commands"), and of a log without a header. */
export const defaultHeader: LogHeader = {
  targets: [],
  intervalSeconds: 1,
  timeoutSeconds: 10,
  slowSeconds: 1,
  expect: 200,
};

export const headerBegin = '# holdfast downtime-log';
const logVersion = 1;
/** Appended to a line that was torn when its monitor died, so that readers pass it over. */
export const tornMark = ' torn=yes\n';

/** docs/contract.md, "The downtime log". With the line end. */
export function formatHeader(header: LogHeader): string {
  const { targets, options = {}, own = {}, control, intervalSeconds, edgesSeconds, timeoutSeconds } = header;
  const { slowSeconds, expect } = header;
  const edges = edgesSeconds === undefined ? {} : { edges: edgesSeconds };
  const durations = { interval: intervalSeconds, ...edges, timeout: timeoutSeconds, slow: slowSeconds };
  return [
    `${headerBegin} ${logVersion}`,
    ...targets.map((target) => `target=${target}${optionsWord(options[target] ?? [])}${ownWords(own[target] ?? {})}`),
    ...(control === undefined ? [] : [`control=${control}`]),
    ...Object.entries(durations).map(([key, seconds]) => `${key}=${formatDuration(seconds)}`),
    `expect=${expect}\n`,
  ].join(' ');
}

const continuesWord = ' continues=yes';

/**
 * The header of a file that goes on with a log, or of one repeated within it. Readers that know what came before pass
 * it over.
 */
export const continuedHeader = (header: string): string => header.replace(/\n$/, `${continuesWord}\n`);

/** The header that is repeated; undefined for a line that is none. */
export const repeatedHeader = (line: string): string | undefined =>
  line.startsWith(`${headerBegin} `) && line.endsWith(continuesWord) ? line.slice(0, -continuesWord.length) : undefined;

/** The samples of a text, to be repeated if another program may have cut them off. Readers take each once. */
export const writtenAgain = (lines: string): string =>
  lines.replaceAll(/^(#.*\n|(.*)\n)/gm, (_line, _all, sample?: string) => (sample ? `${sample} again=yes\n` : ''));

const optionsWord = (names: readonly string[]): string => (names.length === 0 ? '' : ` options=${names.join(',')}`);

/** Undefined for a line that is no header. A header of another version is returned as its version alone. */
export function parseHeader(line: string): LogHeader | { readonly version: string } | undefined {
  if (!line.startsWith(`${headerBegin} `)) return undefined;
  const [version = '', ...settings] = line.slice(headerBegin.length).trim().split(' ');
  if (version !== String(logVersion)) return { version };
  const pairs = words(settings.join(' '));
  const value = (wanted: string) => pairs.find(([key]) => key === wanted)?.[1] ?? '';
  const control = value('control');
  const edgesSeconds = parseDuration(value('edges'));
  const own = ownIn(pairs);
  return {
    ...(control === '' ? {} : { control }),
    ...(edgesSeconds ? { edgesSeconds } : {}),
    targets: pairs.filter(([key]) => key === 'target').map(([, target]) => target),
    intervalSeconds: parseDuration(value('interval')) || defaultHeader.intervalSeconds,
    timeoutSeconds: parseDuration(value('timeout')) || defaultHeader.timeoutSeconds,
    slowSeconds: parseDuration(value('slow')) ?? defaultHeader.slowSeconds,
    expect: readExpected(value('expect')) ?? defaultHeader.expect,
    ...(own === undefined ? {} : { own }),
  };
}

/**
 * docs/contract.md, "The downtime log", with the line end. Give the target only where the log has more than one. A bad
 * sample's line also has the seconds of each phase.
 */
export function formatSample(sample: Sample, bad: boolean, target?: string, edge = false): string {
  const { at, status, seconds } = sample;
  const begin = `${iso(at)} ${String(status).padStart(3, '0')} ${seconds.toFixed(3)}`;
  const extra = [
    ...(sample.error === undefined ? [] : [`error=${sample.error}`]),
    ...(sample.reason === undefined ? [] : [`reason=${sample.reason}`]),
    ...(sample.bodyMatched === false ? ['body=no'] : []),
    ...(sample.unread ? ['unread=yes'] : []),
    ...(sample.connection === 'new' ? [] : [`connection=${sample.connection}`]),
    ...(edge ? ['probe=edge'] : []),
    ...(target === undefined ? [] : [`target=${target}`]),
    ...(bad ? Object.entries(sample.phases).map(([phase, seconds]) => `${phase}=${seconds.toFixed(3)}`) : []),
  ];
  return `${[begin, ...extra].join(' ')}\n`;
}

/** `toISOString`, whose text up to the minute is kept: it takes as long as the rest of a line. */
const iso = isoText();

function isoText(): (at: number) => string {
  let [minute, text] = [Number.NaN, ''];
  return (at) => {
    const now = Math.floor(at / 60_000);
    if (now !== minute) [minute, text] = [now, new Date(now * 60_000).toISOString().slice(0, 17)];
    const left = at - now * 60_000;
    return `${text}${((left + 100_000) / 1000).toFixed(3).slice(1)}Z`;
  };
}

const knownErrors: ReadonlySet<string> = new Set(probeErrors);

const knownKeys: ReadonlySet<string> = new Set([
  'error',
  'body',
  'unread',
  'connection',
  'probe',
  'target',
  'torn',
  'again',
  'dns',
  'connect',
  'tls',
  'firstByte',
  'reason',
]);

/** Whether the text behind the third field has a word that only `holdfast monitor` writes, and no curl loop. */
export function isOurs(text: string): boolean {
  return text !== '' && words(text).some(([key, value]) => value !== '' && knownKeys.has(key));
}

/**
 * Reads the text behind the third field. Undefined for a torn line and for values that no monitor writes; unknown keys
 * are ignored.
 */
export function parseExtra(text: string): LineExtra | undefined {
  const values: Values = Object.fromEntries(words(text));
  const { error, body, connection = 'new', probe, target, torn, again } = values;
  const known =
    torn === undefined &&
    (error === undefined || knownErrors.has(error)) &&
    isOneOf(body, 'no') &&
    isOneOf(probe, 'edge') &&
    (connection === 'new' || connection === 'reused');
  if (!known) return undefined;
  return {
    connection,
    ...(error === undefined ? {} : { error: error as ProbeError }),
    ...(body === undefined ? {} : { bodyMatched: false }),
    ...(again === undefined ? {} : { again: true }),
    ...(probe === undefined ? {} : { edge: true }),
    ...(target === undefined ? {} : { target }),
    ...causeIn(values),
  };
}

type Values = Readonly<Record<string, string | undefined>>;

function causeIn({ reason, dns, connect, firstByte }: Values): Pick<LineExtra, 'cause'> {
  if (reason !== undefined) return /^[\w-]{1,40}$/.test(reason) ? { cause: reason } : {};
  if ((dns ?? connect ?? firstByte) === undefined) return {};
  const plateau = plateauOf({ dns: Number(dns), connect: Number(connect), firstByte: Number(firstByte) });
  return plateau === undefined ? {} : { cause: plateau };
}

const isOneOf = (value: string | undefined, only: string): boolean => value === undefined || value === only;

/** The settings of what one monitor or curl loop wrote into the log. */
export interface LogPart extends LogHeader {
  readonly format: 'holdfast' | 'curl';
  /** Of the times in the log: 0 with milliseconds, 1 for a `date` in whole seconds. */
  readonly resolutionSeconds: number;
}

/**
 * A sample of the log, or ticks of which nothing is known, on its way from the bytes of the file to the downtime meter.
 * The record is used again for later lines, because an object for each of millions of lines takes measurable time: copy
 * what you keep.
 */
export interface LoggedSample {
  /** Start of the request, epoch milliseconds. */
  at: number;
  /** 0 without an answer. */
  status: number;
  /** How long the request took. */
  millis: number;
  extra: LineExtra;
  /** 0 for a sample; else how many ticks from `at` on are unknown, and status and milliseconds mean nothing. */
  unknownTicks: number;
}

/**
 * A record to be filled. NaN, because a field that always holds a double is faster than one that begins as an integer.
 */
export const emptySample = (): LoggedSample => ({
  at: Number.NaN,
  status: 0,
  millis: 0,
  extra: { connection: 'new' },
  unknownTicks: 0,
});

export type OnSample = (sample: LoggedSample) => void;

/** The `key=value` words of a log line; a word without `=` has the value ''. */
export function words(text: string): readonly (readonly [key: string, value: string])[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const equals = word.indexOf('=');
      return equals < 0 ? [word, ''] : [word.slice(0, equals), word.slice(equals + 1)];
    });
}
