/** The zones that `date` abbreviates and that mean one offset only, in hours; any other word is taken for UTC. */
const ZONE_HOURS: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  WEST: 1,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  JST: 9,
  EST: -5,
  EDT: -4,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const HOUR_MS = 3_600_000;

export interface DatedText {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether the time has a fraction of a second. */
  readonly fine: boolean;
  /** What follows the date. */
  readonly rest: string;
}

/**
 * Pure. The time at the beginning of a line, as `date` prints it: by default (`Sat Nov 21 01:25:47 UTC 2026`, also with AM and PM or the day before
 * the month), as ISO 8601 (`-Is`, `-Ins`, `+%FT%TZ`, `+'%F %T'`), by RFC 5322 (`-R`), or as epoch seconds (`+%s`). A time without a zone is taken for UTC.
 */
export function dateText(line: string): DatedText | undefined {
  const text = line.replace(/^[\s["'(]+/, '');
  return isoDate(text) ?? epochDate(text) ?? wordDate(text);
}

const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)?(?=[\s,;\])"']|$)/;

function isoDate(text: string): DatedText | undefined {
  const found = ISO.exec(text);
  if (found === null) return undefined;
  const [whole, day, time, fraction, zone] = found;
  const at = Date.parse(`${day}T${time}Z`) + millisOf(fraction) - offsetMs(zone);
  return Number.isNaN(at) ? undefined : { at, fine: fraction !== undefined, rest: text.slice(whole.length) };
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
  ['zone', /^([A-Z]{2,5}|[+-]\d\d:?\d\d)$/],
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
  return at === undefined ? undefined : { at, fine: false, rest: text.slice(length) };
}

function instantOf(parts: ReadonlyMap<Part, string>): number | undefined {
  const [month, day, time, year] = [parts.get('month'), parts.get('day'), parts.get('time'), parts.get('year')];
  if (month === undefined || day === undefined || time === undefined || year === undefined) return undefined;
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  const half = parts.get('half');
  const hour24 = half === undefined ? hour : (hour % 12) + (half === 'PM' ? 12 : 0);
  const local = Date.UTC(
    Number.parseInt(year, 10),
    MONTHS.indexOf(month),
    Number.parseInt(day, 10),
    hour24,
    minute,
    second,
  );
  return local - offsetMs(parts.get('zone'));
}

function offsetMs(zone: string | undefined): number {
  const found = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '');
  if (found === null) return (ZONE_HOURS[zone ?? 'UTC'] ?? 0) * HOUR_MS;
  const [, sign, hours, minutes] = found;
  return (Number(hours) * HOUR_MS + Number(minutes) * 60_000) * (sign === '-' ? -1 : 1);
}

function millisOf(fraction = ''): number {
  return Number(fraction.slice(0, 3).padEnd(3, '0'));
}
