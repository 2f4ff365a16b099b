/**
 * Offsets in hours of the zone abbreviations of `date` that mean one offset: those of the time zone database (2025b) that had only one since 2019, and
 * of the ambiguous ones those that RFC 5322, section 4.3 defines (CST, CDT, PST). IST stays ambiguous.
 */
const zoneHours: Readonly<Record<string, number>> = {
  Z: 0,
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  IDT: 3,
  WAT: 1,
  CAT: 2,
  SAST: 2,
  EAT: 3,
  PKT: 5,
  WIB: 7,
  WITA: 8,
  WIT: 9,
  HKT: 8,
  JST: 9,
  KST: 9,
  AWST: 8,
  ACST: 9.5,
  ACDT: 10.5,
  AEST: 10,
  AEDT: 11,
  ChST: 10,
  NZST: 12,
  NZDT: 13,
  SST: -11,
  NST: -3.5,
  NDT: -2.5,
  AST: -4,
  ADT: -3,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  HDT: -9,
};
/** A known abbreviation, an offset, or a word that looks like an abbreviation: capitals that end in T, but no HTTP method. */
const zonePattern = `(?:${Object.keys(zoneHours).join('|')}|(?!GET|PUT|POST)[A-Z]{2,4}T|[+-]\\d\\d(?::?\\d\\d)?)`;
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const minuteMs = 60_000;

export interface DatedText {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether the time has a fraction of a second. */
  readonly fine: boolean;
  /** What follows the date. */
  readonly rest: string;
  /** A zone that is ambiguous or unknown; `at` is then computed as if it were UTC. */
  readonly unknownZone?: string;
}

/**
 * The time at the beginning of a line, as `date` prints it: by default (`Sat Nov 21 01:25:47 UTC 2026`, also with AM and PM or the day before
 * the month), as ISO 8601 (`-Is`, `-Ins`, `+%FT%TZ`, `+'%F %T'`), by RFC 5322 (`-R`), or as epoch seconds (`+%s`). A time without a zone is taken as UTC.
 * Undefined where the line begins with no time.
 */
export function dateText(line: string): DatedText | undefined {
  const text = line.replace(/^[\s["'(]+/, '');
  return isoDate(text) ?? epochDate(text) ?? wordDate(text);
}

const isoPattern = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d:\\d\\d)(?:[.,](\\d{1,9}))?\\s?(${zonePattern})?(?=[\\s,;\\])"']|$)`,
);

function isoDate(text: string): DatedText | undefined {
  const found = isoPattern.exec(text);
  if (found === null) return undefined;
  const [whole, day, time, fraction, zone] = found;
  const at = Date.parse(`${day}T${time}Z`) + millisOf(fraction);
  if (Number.isNaN(at)) return undefined;
  return zoned(zone, { at, fine: fraction !== undefined, rest: text.slice(whole.length) });
}

function epochDate(text: string): DatedText | undefined {
  const found = /^(\d{10})(?:[.,](\d{1,9}))?(?=[\s,;\])"']|$)/.exec(text);
  if (found === null) return undefined;
  const [whole, seconds, fraction] = found;
  return {
    at: Number(seconds) * 1000 + millisOf(fraction),
    fine: fraction !== undefined,
    rest: text.slice(whole.length),
  };
}

type Part = 'weekday' | 'month' | 'day' | 'time' | 'year' | 'half' | 'zone';
/** A word is the first of these parts that it fits and that the line does not have yet. */
const partPatterns: readonly (readonly [Part, RegExp])[] = [
  ['weekday', /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun),?$/],
  ['month', new RegExp(`^(${monthNames.join('|')})$`)],
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
    const part = partPatterns.find(([name, shape]) => !parts.has(name) && shape.test(word))?.[0];
    if (part === undefined) break;
    parts.set(part, word);
    length = index + word.length;
  }
  const at = instantOf(parts);
  return at === undefined ? undefined : zoned(parts.get('zone'), { at, fine: false, rest: text.slice(length) });
}

function instantOf(parts: ReadonlyMap<Part, string>): number | undefined {
  const [month, day, time, year] = [parts.get('month'), parts.get('day'), parts.get('time'), parts.get('year')];
  if (month === undefined || day === undefined || time === undefined || year === undefined) return undefined;
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  const half = parts.get('half');
  const hour24 = half === undefined ? hour : (hour % 12) + (half === 'PM' ? 12 : 0);
  return Date.UTC(
    Number.parseInt(year, 10),
    monthNames.indexOf(month),
    Number.parseInt(day, 10),
    hour24,
    minute,
    second,
  );
}

/** Converts a time that was read as if it were UTC. */
function zoned(zone: string | undefined, date: DatedText): DatedText {
  const offset = offsetMs(zone ?? 'UTC');
  return offset === undefined ? { ...date, unknownZone: zone ?? '' } : { ...date, at: date.at - offset };
}

function offsetMs(zone: string): number | undefined {
  const [, sign, hours, minutes = 0] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (sign !== undefined) return (Number(hours) * 60 + Number(minutes)) * minuteMs * (sign === '-' ? -1 : 1);
  const known = zoneHours[zone];
  return known === undefined ? undefined : known * 60 * minuteMs;
}

function millisOf(fraction = ''): number {
  return Number(fraction.slice(0, 3).padEnd(3, '0'));
}
