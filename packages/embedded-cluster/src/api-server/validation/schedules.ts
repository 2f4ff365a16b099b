import type { Json } from '../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { isUnset, when } from './formats.ts';

const field = 'spec.schedule';

/** The errors in when a CronJob runs (kubernetes, pkg/apis/batch/validation, validateScheduleFormat). */
export function scheduleCauses({ schedule, timeZone }: Json, before: Json | undefined): readonly FieldCause[] {
  if (isUnset(schedule)) return [];
  const text = String(schedule);
  const fault = scheduleFault(text.replace(/^(CRON_)?TZ=\S*\s*/, ''));
  const zoned = text.includes('TZ');
  const hadZone = String(before?.schedule ?? '').includes('TZ');
  const both = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
  const refused = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  return [
    ...(fault === undefined ? [] : [fieldCauses.invalid(field, text, fault)]),
    ...when(zoned && hadZone && timeZone !== undefined, fieldCauses.invalid(field, text, both)),
    ...when(zoned && !hadZone, fieldCauses.invalid(field, text, refused)),
  ];
}

const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const none: readonly string[] = [];

/** The five fields: the lowest and highest number, and the names of the numbers from the lowest. */
const parts = [
  [0, 59, none],
  [0, 23, none],
  [1, 31, none],
  [1, 12, months],
  [0, 6, days],
] as const;

/** Why the text is no schedule, in the words of the library (github.com/robfig/cron/v3, parser.go). */
function scheduleFault(text: string): string | undefined {
  if (text.startsWith('@')) return descriptorFault(text);
  const fields = text.split(/\s+/).filter((one) => one !== '');
  if (fields.length !== parts.length) return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  for (const [index, part] of parts.entries()) {
    for (const expression of (fields[index] ?? '').split(',')) {
      const fault = rangeFault(expression, part);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function descriptorFault(text: string): string | undefined {
  if (descriptors.includes(text)) return undefined;
  const every = '@every ';
  if (!text.startsWith(every)) return `unrecognized descriptor: ${text}`;
  const duration = text.slice(every.length);
  if (/^([0-9.]+(ns|us|µs|ms|s|m|h))+$/.test(duration)) return undefined;
  return `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`;
}

function rangeFault(expression: string, [low, high, names]: (typeof parts)[number]): string | undefined {
  const [span = '', step, ...more] = expression.split('/');
  const [from = '', to, ...ends] = span.split('-');
  if (more.length > 0) return `too many slashes: ${expression}`;
  if (ends.length > 0) return `too many hyphens: ${expression}`;
  const any = from === '*' || from === '?';
  const [start, end] = any ? [low, high] : [numberOf(from, low, names), numberOf(to ?? from, low, names)];
  const every = step === undefined ? 1 : numberOf(step, 0, none);
  if (start === undefined)
    return `failed to parse int from ${from}: strconv.Atoi: parsing ${JSON.stringify(from)}: invalid syntax`;
  if (end === undefined)
    return `failed to parse int from ${to}: strconv.Atoi: parsing ${JSON.stringify(to)}: invalid syntax`;
  if (every === undefined)
    return `failed to parse int from ${step}: strconv.Atoi: parsing ${JSON.stringify(step)}: invalid syntax`;
  return boundsFault(expression, { start, end, every, low, high });
}

interface Bounds {
  readonly start: number;
  readonly end: number;
  readonly every: number;
  readonly low: number;
  readonly high: number;
}

function boundsFault(expression: string, { start, end, every, low, high }: Bounds): string | undefined {
  if (start < low) return `beginning of range (${start}) below minimum (${low}): ${expression}`;
  if (end > high) return `end of range (${end}) above maximum (${high}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return every === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

function numberOf(text: string, low: number, names: readonly string[]): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + low;
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** An error if the time zone is not known. */
export function timeZoneCauses(timeZone: unknown): readonly FieldCause[] {
  if (timeZone === undefined) return [];
  const at = 'spec.timeZone';
  const zone = String(timeZone);
  if (zone === '') return [fieldCauses.invalid(at, '', 'timeZone must be nil or non-empty string')];
  if (zone.toLowerCase() === 'local') {
    const why = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    return [fieldCauses.invalid(at, zone, why)];
  }
  return when(!isTimeZone(zone), fieldCauses.invalid(at, zone, `unknown time zone ${zone}`));
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
