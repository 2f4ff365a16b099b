import type { ConnectionUse, ProbeError, Sample } from '../host/host.ts';
import { formatDuration, parseDuration } from '../settings/duration.ts';

/** The first line of a downtime log, and of each part that a later monitor appended. */
export interface LogHeader {
  readonly targets: readonly string[];
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  readonly slowSeconds: number;
  readonly expect: number;
}

/** A fact about the monitor itself. Instants are epoch milliseconds. */
export type LogFact =
  /** Ticks at which no probe was made. */
  | { readonly type: 'missed'; readonly ticks: number; readonly from: number; readonly reason: string }
  /** A probe whose end was not waited for, or that this machine could not make. */
  | {
      readonly type: 'unknown';
      readonly from: number;
      readonly reason: string;
      readonly connection: ConnectionUse;
      readonly target?: string;
    }
  /** The monitor did not run: samples in flight took longer than the target did. */
  | { readonly type: 'stall'; readonly seconds: number; readonly from: number }
  /** The wall clock was set; from here on the times are the new clock's. */
  | { readonly type: 'clock-step'; readonly seconds: number }
  | { readonly type: 'end'; readonly at: number };

/** What a sample's line says after the specification's three fields. */
export interface LineExtra {
  readonly connection: ConnectionUse;
  readonly error?: ProbeError;
  readonly bodyMatched?: false;
  readonly target?: string;
}

const MAGIC = '# holdfast downtime-log';
const VERSION = 1;
/** Put behind a line that was torn when its monitor died: what it says is not to be trusted. */
export const TORN = ' torn=yes\n';

/** Contract section 3. With the line's end. */
export function formatHeader(header: LogHeader): string {
  const { targets, intervalSeconds, timeoutSeconds, slowSeconds, expect } = header;
  const durations = { interval: intervalSeconds, timeout: timeoutSeconds, slow: slowSeconds };
  return [
    `${MAGIC} ${VERSION}`,
    ...targets.map((target) => `target=${target}`),
    ...Object.entries(durations).map(([key, seconds]) => `${key}=${formatDuration(seconds)}`),
    `expect=${expect}\n`,
  ].join(' ');
}

/** Undefined for a line that is no header; a version that is not ours is a header without settings. */
export function parseHeader(line: string): LogHeader | { readonly version: string } | undefined {
  if (!line.startsWith(`${MAGIC} `)) return undefined;
  const [version = '', ...words] = line
    .slice(MAGIC.length + 1)
    .trim()
    .split(' ');
  if (version !== String(VERSION)) return { version };
  const pairs = words.map(pair);
  const value = (wanted: string) => pairs.find(([key]) => key === wanted)?.[1] ?? '';
  return {
    targets: pairs.filter(([key]) => key === 'target').map(([, target]) => target),
    intervalSeconds: parseDuration(value('interval')) || 1,
    timeoutSeconds: parseDuration(value('timeout')) || 10,
    slowSeconds: parseDuration(value('slow')) ?? 1,
    expect: Number(value('expect')) || 200,
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

/** The words behind the third field. Undefined when the line is torn or says what no monitor writes; unknown keys are passed over. */
export function parseExtra(text: string): LineExtra | undefined {
  const pairs = new Map(
    text
      .split(' ')
      .filter((word) => word !== '')
      .map(pair),
  );
  const { error, body, connection, target, torn } = Object.fromEntries(pairs);
  if (torn !== undefined || (error !== undefined && !ERRORS.has(error))) return undefined;
  if ((body ?? 'no') !== 'no' || !['new', 'reused'].includes(connection ?? 'new')) return undefined;
  return {
    connection: connection === 'reused' ? 'reused' : 'new',
    ...(error === undefined ? {} : { error: error as ProbeError }),
    ...(body === undefined ? {} : { bodyMatched: false }),
    ...(target === undefined ? {} : { target }),
  };
}

/** With the line's end. */
export function formatFact(fact: LogFact): string {
  switch (fact.type) {
    case 'missed':
      return `# missed ${fact.ticks} from=${iso(fact.from)} reason=${fact.reason}\n`;
    case 'unknown': {
      const connection = fact.connection === 'new' ? '' : ` connection=${fact.connection}`;
      const target = fact.target === undefined ? '' : ` target=${fact.target}`;
      return `# unknown 1 from=${iso(fact.from)} reason=${fact.reason}${connection}${target}\n`;
    }
    case 'stall':
      return `# stall ${fact.seconds.toFixed(3)} from=${iso(fact.from)}\n`;
    case 'clock-step':
      return `# clock-step ${fact.seconds.toFixed(3)}\n`;
    case 'end':
      return `# end at=${iso(fact.at)}\n`;
  }
}

/** Undefined for a comment of another kind. */
export function parseFact(line: string): LogFact | undefined {
  const [, type, ...words] = line.trim().split(' ');
  const amount = Number(words[0]);
  const { from, at, reason = '', connection, target } = Object.fromEntries(words.map(pair));
  const instant = Date.parse(from ?? at ?? '');
  if (type === 'clock-step' && Number.isFinite(amount)) return { type, seconds: amount };
  if (Number.isNaN(instant)) return undefined;
  if (type === 'end') return { type, at: instant };
  if (type === 'unknown')
    return {
      type,
      from: instant,
      reason,
      connection: connection === 'reused' ? 'reused' : 'new',
      ...(target === undefined ? {} : { target }),
    };
  if (type === 'missed' && Number.isInteger(amount) && amount > 0)
    return { type, ticks: amount, from: instant, reason };
  return type === 'stall' && amount > 0 ? { type, seconds: amount, from: instant } : undefined;
}

function pair(word: string): [key: string, value: string] {
  const equals = word.indexOf('=');
  return equals < 0 ? [word, ''] : [word.slice(0, equals), word.slice(equals + 1)];
}

const iso = (at: number) => new Date(at).toISOString();
