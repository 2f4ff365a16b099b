/**
 * The zones that `date` abbreviates to a word of one offset, in hours: those of the time zone database (2025b) that had only this one since 2019, and
 * those of several that RFC 5322, section 4.3 gives one (CST, CDT, PST). IST has several.
 */
const ZONE_HOURS: Readonly<Record<string, number>> = {
  ...{ Z: 0, UTC: 0, GMT: 0, WET: 0, WEST: 1, BST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3, MSK: 3, IDT: 3 },
  ...{ WAT: 1, CAT: 2, SAST: 2, EAT: 3, PKT: 5, WIB: 7, WITA: 8, WIT: 9, HKT: 8, JST: 9, KST: 9 },
  ...{ AWST: 8, ACST: 9.5, ACDT: 10.5, AEST: 10, AEDT: 11, ChST: 10, NZST: 12, NZDT: 13, SST: -11 },
  ...{ NST: -3.5, NDT: -2.5, AST: -4, ADT: -3, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
  ...{ AKST: -9, AKDT: -8, HST: -10, HDT: -9 },
};
/** What stands where a zone does and ends as nearly all of them do; some words of HTTP do so too. */
const ZONE = `(?:${Object.keys(ZONE_HOURS).join('|')}|(?!GET|PUT|POST)[A-Z]{2,4}T|[+-]\\d\\d(?::?\\d\\d)?)`;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MINUTE_MS = 60_000;

export interface DatedText {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether the time has a fraction of a second. */
  readonly fine: boolean;
  /** What follows the date. */
  readonly rest: string;
  /** A zone that means several offsets, or none that is known: then `at` is only as if it were UTC. */
  readonly unknownZone?: string;
}

/**
 * Pure. The time at the beginning of a line, as `date` prints it: by default (`Sat Nov 21 01:25:47 UTC 2026`, also with AM and PM or the day before
 * the month), as ISO 8601 (`-Is`, `-Ins`, `+%FT%TZ`, `+'%F %T'`), by RFC 5322 (`-R`), or as epoch seconds (`+%s`). A time without a zone is taken for UTC;
 * one whose zone is not known says so.
 */
export function dateText(line: string): DatedText | undefined {
  const text = line.replace(/^[\s["'(]+/, '');
  return isoDate(text) ?? epochDate(text) ?? wordDate(text);
}

const ISO = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d:\\d\\d)(?:[.,](\\d{1,9}))?\\s?(${ZONE})?(?=[\\s,;\\])"']|$)`,
);

function isoDate(text: string): DatedText | undefined {
  const found = ISO.exec(text);
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
/** In this order: a word is the first that it fits and that is not there yet. */
const PARTS: readonly (readonly [Part, RegExp])[] = [
  ['weekday', /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun),?$/],
  ['month', new RegExp(`^(${MONTHS.join('|')})$`)],
  ['year', /^20\d\d,?$/],
  ['day', /^\d{1,2},?$/],
  ['time', /^\d{1,2}:\d\d:\d\d$/],
  ['half', /^[AP]M$/],
  ['zone', new RegExp(`^${ZONE}$`)],
];

function wordDate(text: string): DatedText | undefined {
  const parts = new Map<Part, string>();
  let length = 0;
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const part = PARTS.find(([name, shape]) => !parts.has(name) && shape.test(word))?.[0];
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
  return Date.UTC(Number.parseInt(year, 10), MONTHS.indexOf(month), Number.parseInt(day, 10), hour24, minute, second);
}

/** The time in UTC of one that was read as if it were. */
function zoned(zone: string | undefined, date: DatedText): DatedText {
  const offset = offsetMs(zone ?? 'UTC');
  return offset === undefined ? { ...date, unknownZone: zone ?? '' } : { ...date, at: date.at - offset };
}

function offsetMs(zone: string): number | undefined {
  const [, sign, hours, minutes = 0] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (sign !== undefined) return (Number(hours) * 60 + Number(minutes)) * MINUTE_MS * (sign === '-' ? -1 : 1);
  const known = ZONE_HOURS[zone];
  return known === undefined ? undefined : known * 60 * MINUTE_MS;
}

function millisOf(fraction = ''): number {
  return Number(fraction.slice(0, 3).padEnd(3, '0'));
}
