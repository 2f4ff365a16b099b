/** A field of a cron expression: its range of values, and their names where it has some. */
interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const fields: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  {
    min: 1,
    max: 12,
    names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
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

const minuteMs = 60_000;

/**
 * Whether a budget with that schedule (cron, UTC) is active: the schedule was hit within the duration before `at`
 * (nodepool.go, Budget.IsActive). An invalid schedule is never active.
 */
export function isActive(schedule: string, durationSeconds: number, at: number): boolean {
  const parsed = parse(descriptors.get(schedule.trim()) ?? schedule.trim());
  if (parsed === undefined) return false;
  const from = at - 1000 * durationSeconds;
  for (let minute = Math.floor(at / minuteMs) * minuteMs; minute > from; minute -= minuteMs)
    if (isHit(parsed, minute)) return true;
  return false;
}

interface Parsed {
  readonly values: readonly ReadonlySet<number>[];
  /** Which fields begin with `*` or `?`. */
  readonly stars: readonly boolean[];
}

function parse(text: string): Parsed | undefined {
  const parts = text.toLowerCase().split(/\s+/);
  if (parts.length !== fields.length) return undefined;
  const values = parts.map((part, index) => valuesOf(part, fields[index] as Field));
  if (!values.every((one) => one !== undefined)) return undefined;
  return { values, stars: parts.map((part) => /^[*?]/.test(part)) };
}

/** If both day of month and day of week are restricted, one of them is enough (crontab(5)). */
function isHit({ values, stars }: Parsed, minute: number): boolean {
  const time = new Date(minute);
  const now = [time.getUTCMinutes(), time.getUTCHours(), time.getUTCDate(), time.getUTCMonth() + 1, time.getUTCDay()];
  const [minutes, hours, day, month, weekday] = now.map((value, index) => values[index]?.has(value) === true);
  if (!minutes || !hours || !month) return false;
  return stars[2] || stars[4] ? day === true && weekday === true : day === true || weekday === true;
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
