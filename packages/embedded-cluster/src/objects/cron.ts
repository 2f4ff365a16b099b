/** A field of a cron expression: its range of values, and their names where it has some. */
interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const weekdays: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  {
    min: 1,
    max: 12,
    names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { min: 0, max: 6, names: weekdays },
];

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** A cron expression of five fields, as crontab(5) has it. */
export interface Cron {
  readonly values: readonly ReadonlySet<number>[];
  /** Which fields begin with `*` or `?`. */
  readonly stars: readonly boolean[];
}

/** Undefined if the text is no cron expression; `@hourly` and its like are, `@every` is not. */
export function parseCron(schedule: string): Cron | undefined {
  const text = descriptors.get(schedule.trim()) ?? schedule.trim();
  const parts = text.toLowerCase().split(/\s+/);
  if (parts.length !== fields.length) return undefined;
  const values = parts.map((part, index) => valuesOf(part, fields[index] as Field));
  if (!values.every((one) => one !== undefined)) return undefined;
  return { values, stars: parts.map((part) => /^[*?]/.test(part)) };
}

/** Minute, hour, day of the month, month and weekday, as a clock on the wall shows them. */
export type Calendar = readonly [minute: number, hour: number, day: number, month: number, weekday: number];

/** Whether that minute is one of the expression's. */
export const isHit = (cron: Cron, calendar: Calendar): boolean =>
  isHourHit(cron, calendar) && cron.values[0]?.has(calendar[0]) === true;

/**
 * Whether a minute of that hour may be: if both day of month and day of week are restricted, one of them is enough
 * (crontab(5)).
 */
function isHourHit({ values, stars }: Cron, calendar: Calendar): boolean {
  const [, hours, day, month, weekday] = calendar.map((value, index) => values[index]?.has(value) === true);
  if (!hours || !month) return false;
  return stars[2] || stars[4] ? day === true && weekday === true : day === true || weekday === true;
}

/** In UTC, or in a zone of the IANA database; a RangeError if there is no such zone. `at` in epoch milliseconds. */
export function calendarAt(at: number, timeZone?: string): Calendar {
  if (timeZone === undefined) {
    const time = new Date(at);
    return [time.getUTCMinutes(), time.getUTCHours(), time.getUTCDate(), time.getUTCMonth() + 1, time.getUTCDay()];
  }
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const { minute, hour, day, month, weekday = '' } = parts;
  return [Number(minute), Number(hour), Number(day), Number(month), weekdays.indexOf(weekday.toLowerCase())];
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const numeric = { minute: 'numeric', hour: 'numeric', day: 'numeric', month: 'numeric' } as const;
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', weekday: 'short', ...numeric });
  formats.set(timeZone, known);
  return known;
}

const minuteMs = 60_000;
/** An expression such as 30 February is given up after five years (robfig/cron, spec.go). */
const longestMs = 5 * 366 * 86_400_000;

/**
 * The first minute of the expression after `at`, epoch milliseconds; a local time that a change of clocks leaves out is
 * left out.
 */
export function nextHit(cron: Cron, at: number, timeZone?: string): number | undefined {
  let minute = (Math.floor(at / minuteMs) + 1) * minuteMs;
  while (minute < at + longestMs) {
    const calendar = calendarAt(minute, timeZone);
    if (isHit(cron, calendar)) return minute;
    minute += isHourHit(cron, calendar) ? minuteMs : (60 - calendar[0]) * minuteMs;
  }
  return undefined;
}

/** A list of `*`, `a` or `a-b`, each with an optional `/step`; undefined if it is not one. */
function valuesOf(text: string, field: Field): ReadonlySet<number> | undefined {
  const all = new Set<number>();
  for (const part of text.split(',')) {
    const range = rangeOf(part, field);
    if (range === undefined) return undefined;
    for (let value = range.from; value <= range.to; value += range.step) all.add(value);
  }
  return all;
}

function rangeOf(part: string, field: Field): { from: number; to: number; step: number } | undefined {
  const [span = '', every, ...more] = part.split('/');
  const [first = '', last] = span === '*' || span === '?' ? [String(field.min), String(field.max)] : span.split('-');
  const from = numberOf(first, field);
  const to = last === undefined ? (every === undefined ? from : field.max) : numberOf(last, field);
  const step = every === undefined ? 1 : Number(every);
  const isValid = from >= field.min && to <= field.max && from <= to && Number.isInteger(step) && step > 0;
  return isValid && more.length === 0 ? { from, to, step } : undefined;
}

function numberOf(text: string, { names = [] }: Field): number {
  const place = names.indexOf(text);
  return place === -1 || text === '' ? Number(/^\d+$/.test(text) ? text : Number.NaN) : place;
}
