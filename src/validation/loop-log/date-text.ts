import { offsetMs, zonePattern } from './time-zones.ts';

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export interface DatedText {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether the time has a fraction of a second. */
  readonly fine: boolean;
  /** What follows the date. */
  readonly rest: string;
  /** No zone stands there; `at` is then computed as if it were UTC. */
  readonly zoneless?: true;
  /** A zone that is ambiguous or unknown; `at` is then computed as if it were UTC. */
  readonly unknownZone?: string;
}

/** What a single line does not show, and a whole log mostly does. */
export interface DateForm {
  /** `03/04/2026` is the third of April; undefined where it may be the fourth of March. */
  readonly dayFirst?: boolean | undefined;
  /** What follows a comma behind the seconds is the next column, not their fraction. */
  readonly commaSeparates?: boolean;
}

/**
 * The time at the beginning of a text, as `date` and loggers print it: by default (`Sat Nov 21 01:25:47 UTC 2026`, also
 * with AM and PM or the day before the month), as ISO 8601 and near it (`-Is`, `+%FT%TZ`, `+'%F %T'`, `+%Y%m%d-%H%M%S`,
 * `2026/11/21 01:25:47`), by RFC 5322 (`-R`), with slashes or points, as web servers do (`21/Nov/2026:01:25:47 +0000`),
 * or as seconds, milli-, micro- or nanoseconds since 1970. A time without a zone is taken as UTC. Undefined where the
 * text begins with no time.
 */
export function dateText(line: string, form: DateForm = {}): DatedText | undefined {
  const text = /^\w/.test(line) ? line : line.replace(/^[\s["'(@]+/, '');
  return sameMinute(text, form) ?? isoDate(text, form) ?? epochDate(text) ?? slashedDate(text, form) ?? wordDate(text);
}

/** `2026-11-21T01:25:`, and what stands between its seconds and the rest of the line. */
interface KnownMinute {
  readonly form: DateForm;
  readonly prefix: string;
  readonly suffix: string;
  readonly date: Omit<DatedText, 'rest'>;
  /** Of the date. */
  readonly second: number;
}

const prefixLength = 17;
const secondsEnd = 19;
/** A log has each minute sixty times: the last one is known, so that most of its dates cost no pattern. */
let lastMinute: KnownMinute | undefined;

/** The time where it differs from the last ISO time in its seconds alone, which are whole. */
function sameMinute(text: string, form: DateForm): DatedText | undefined {
  if (lastMinute === undefined || lastMinute.form !== form || !text.startsWith(lastMinute.prefix)) return undefined;
  const { suffix, date, second } = lastMinute;
  const end = secondsEnd + suffix.length;
  if (!text.startsWith(suffix, secondsEnd) || !endsAt(text, end)) return undefined;
  const [tens, ones] = [text.charCodeAt(prefixLength) - 48, text.charCodeAt(prefixLength + 1) - 48];
  if (!(tens >= 0 && tens <= 5 && ones >= 0 && ones <= 9)) return undefined;
  return { ...date, at: date.at + (10 * tens + ones - second) * 1000, rest: text.slice(end) };
}

/** Whether no half of the day and no zone may follow. */
const endsAt = (text: string, end: number): boolean =>
  end === text.length || (text.charAt(end) === ' ' && !/[A-Z+-]/.test(text.charAt(end + 1)));

/** Remembers the minute of an ISO time with whole seconds, behind which a blank stands. */
function remembered(text: string, form: DateForm, dated: DatedText | undefined): DatedText | undefined {
  if (dated === undefined || dated.fine || dated.rest.charAt(0) !== ' ') return dated;
  const { rest, ...date } = dated;
  const suffix = text.slice(secondsEnd, text.length - rest.length);
  if (/^(Z|[+-]\d\d:?\d\d)?$/.test(suffix) && text.charAt(prefixLength - 1) === ':')
    lastMinute = {
      form,
      prefix: text.slice(0, prefixLength),
      suffix,
      date,
      second: Number(text.slice(prefixLength, secondsEnd)),
    };
  return dated;
}

const clock = '(\\d{1,2}):(\\d\\d):(\\d\\d)(?:([.,])(\\d{1,9}))?(?: ?([AP]M)\\b)?';
const zone = `(?:\\s?(${zonePattern}))?(?=[\\s,;|\\])"']|$)`;
const isoPattern = new RegExp(`^(\\d{4})([-/.])(\\d\\d)\\2(\\d\\d)(?:[T_-]|,? )${clock}${zone}`);
const csvPattern = new RegExp(`^(\\d{4})([-/])(\\d\\d)\\2(\\d\\d)[,;]${clock}${zone}`);
const compactPattern = new RegExp(`^(\\d{4})(\\d\\d)(\\d\\d)[T_-]?(\\d\\d)(\\d\\d)(\\d\\d)${zone}`);
const slashedPattern = new RegExp(`^(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4}),?[ _T-]${clock}${zone}`);
const webPattern = new RegExp(`^(\\d{1,2})[/-](${monthNames.join('|')})[/-](\\d{4})[: ]${clock}${zone}`);

interface DateParts {
  readonly whole: string;
  readonly day: readonly [year: string, month: number, day: string];
  readonly clock: readonly [hour: string, minute: string, second: string];
  readonly separator?: string | undefined;
  readonly fraction?: string | undefined;
  readonly half?: string | undefined;
  readonly zone?: string | undefined;
}

function isoDate(text: string, form: DateForm): DatedText | undefined {
  const compact = compactPattern.exec(text);
  if (compact !== null) {
    const [whole, year = '', month, day = '', hour = '', minute = '', second = '', zone] = compact;
    return dated(text, { whole, day: [year, Number(month), day], clock: [hour, minute, second], zone }, form);
  }
  const found = isoPattern.exec(text) ?? csvPattern.exec(text);
  if (found === null) return undefined;
  const [, year = '', , month, day = ''] = found;
  return remembered(text, form, dated(text, { ...clockOf(found, 5), day: [year, Number(month), day] }, form));
}

/** What the groups of `clock` and `zone` hold, the first of which has that number. */
function clockOf(found: RegExpExecArray, from: number): Omit<DateParts, 'day'> {
  const [hour = '', minute = '', second = '', separator, fraction, half, zone] = found.slice(from);
  return { whole: found[0], clock: [hour, minute, second], separator, fraction, half, zone };
}

function slashedDate(text: string, form: DateForm): DatedText | undefined {
  const web = webPattern.exec(text);
  if (web !== null) {
    const [, day = '', month = '', year = ''] = web;
    return dated(text, { ...clockOf(web, 4), day: [year, monthNames.indexOf(month) + 1, day] }, form);
  }
  const found = slashedPattern.exec(text);
  if (found === null) return undefined;
  const [, first = '', mark, second = '', year = ''] = found;
  const isDayFirst = mark === '.' || (form.dayFirst ?? Number(first) > 12);
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return dated(text, { ...clockOf(found, 5), day: [year, Number(month), day] }, form);
}

/**
 * Whether the day or the month stands first in a date of two numbers: undefined where the text is none, or either may.
 */
export function firstIsDay(text: string): boolean | undefined {
  const [, first, second] = /(?:^|[^\d/-])(\d{1,2})[/-](\d{1,2})[/-]\d{4},?[ _T-]\d/.exec(text) ?? [];
  if (Number(first) > 12) return true;
  return Number(second) > 12 ? false : undefined;
}

/** Undefined where a number is out of its range. */
function dated(text: string, parts: DateParts, { commaSeparates }: DateForm): DatedText | undefined {
  const { whole, day, clock, separator, fraction, half, zone } = parts;
  const at = instantOf(day, clock, half);
  if (at === undefined) return undefined;
  if (separator === ',' && commaSeparates) {
    const rest = text.slice(text.indexOf(',', whole.indexOf(':')));
    return zoned(undefined, { at, fine: false, rest });
  }
  const fine = fraction !== undefined;
  return zoned(zone, { at: at + millisOf(fraction), fine, rest: text.slice(whole.length) });
}

/** As if it were UTC. */
function instantOf(
  [year, month, day]: DateParts['day'],
  [hour, minute, second]: DateParts['clock'],
  half: string | undefined,
): number | undefined {
  const hour24 = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'PM' ? 12 : 0);
  const isInRange = month >= 1 && month <= 12 && Number(day) <= 31 && hour24 < 24 && Number(minute) < 60;
  if (!isInRange || Number(second) > 60) return undefined;
  return Date.UTC(
    Number.parseInt(year, 10),
    month - 1,
    Number.parseInt(day, 10),
    hour24,
    Number(minute),
    Number(second),
  );
}

/** Of this century: a longer number is of a finer unit. */
const epochPattern = /^([1-4]\d{9})(\d{3}|\d{6}|\d{9})?(?:[.,](\d{1,9}))?(?=[\s,;|\])"'}]|$)/;

function epochDate(text: string): DatedText | undefined {
  const found = epochPattern.exec(text);
  if (found === null) return undefined;
  const [whole, seconds, finer, fraction] = found;
  return {
    at: Number(seconds) * 1000 + millisOf(finer ?? fraction),
    fine: (finer ?? fraction) !== undefined,
    rest: text.slice(whole.length),
  };
}

type Part = 'weekday' | 'month' | 'day' | 'time' | 'year' | 'half' | 'zone';
/** A word is the first of these parts that it fits and that the line does not have yet. */
const partPatterns: readonly (readonly [Part, RegExp])[] = [
  ['weekday', /^((Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}),?$/],
  [
    'month',
    /^(Jan(uary)?|Feb(ruary)?|Mar(ch)?|Apr(il)?|May|June?|July?|Aug(ust)?|Sep(tember)?|Oct(ober)?|Nov(ember)?|Dec(ember)?)$/,
  ],
  ['year', /^20\d\d,?$/],
  ['day', /^\d{1,2},?$/],
  ['time', /^\d{1,2}:\d\d:\d\d$/],
  ['half', /^[AP]M$/],
  ['zone', new RegExp(`^${zonePattern}$`)],
];

function wordDate(text: string): DatedText | undefined {
  const parts = new Map<Part, string>();
  let length = 0;
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    // A bracket or comma ends the date, and is not of it.
    const bare = word.replace(/[\])"';|:,]+$/, '');
    const part = partPatterns.find(([name, shape]) => !parts.has(name) && (shape.test(word) || shape.test(bare)))?.[0];
    if (part === undefined) break;
    parts.set(part, bare);
    length = index + bare.length;
  }
  const [month, day, time, year] = [parts.get('month'), parts.get('day'), parts.get('time'), parts.get('year')];
  if (month === undefined || day === undefined || time === undefined || year === undefined) return undefined;
  const [hour = '', minute = '', second = ''] = time.split(':');
  const at = instantOf(
    [year, monthNames.indexOf(month.slice(0, 3)) + 1, day],
    [hour, minute, second],
    parts.get('half'),
  );
  return at === undefined ? undefined : zoned(parts.get('zone'), { at, fine: false, rest: text.slice(length) });
}

/** Converts a time that was read as if it were UTC. */
function zoned(zone: string | undefined, date: DatedText): DatedText {
  if (zone === undefined) return { ...date, zoneless: true };
  const offset = offsetMs(zone);
  return offset === undefined ? { ...date, unknownZone: zone } : { ...date, at: date.at - offset };
}

function millisOf(fraction = ''): number {
  return Number(fraction.slice(0, 3).padEnd(3, '0'));
}
