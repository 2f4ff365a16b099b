import { type Column, totalUnits } from './columns.ts';
import type { DatedText, DateForm } from './date-text.ts';
import { isFailure, type Layout, type ReadRow, type Row, readBy, secondsIn } from './layout.ts';
import { meansSame } from './learn-status.ts';
import { roundedSeconds } from './learn-total.ts';
import type { LoopListener, LoopSample } from './loop-sample.ts';
import { refused, refusedColumns } from './refused.ts';
import { loopRows } from './rows.ts';
import { isStatus, statusOf } from './statuses.ts';
import { isNoStatus, saysFailure } from './words.ts';

export interface LoopReader {
  readonly line: (line: string) => void;
  readonly end: () => void;
}

interface Reading {
  readonly listener: LoopListener;
  readonly layouts: readonly Layout[];
  /** Lines since the last sample that say that a request failed, and not when. */
  undated: string[];
  last: LoopSample | undefined;
  /** Between the last two samples. */
  gapMs: number;
}

/** Reads the lines of a loop by the layouts that were learnt or given. */
export function loopReader(form: DateForm, layouts: readonly Layout[], listener: LoopListener): LoopReader {
  const reading: Reading = { listener, layouts, undated: [], last: undefined, gapMs: 1000 };
  const rows = loopRows(
    form,
    {
      row: (row) => takeRow(reading, row),
      undatedFailure: (text) => reading.undated.push(text),
      unread: listener.unread,
    },
    ({ fields }) => layouts.some((layout) => readBy(layout, fields) !== undefined),
  );
  return {
    line: rows.line,
    end: () => {
      rows.end();
      takeUndated(reading, undefined);
    },
  };
}

/** A row of which nothing is understood is reported; one with nothing but a date is a request without a result. */
function takeRow(reading: Reading, row: Row): void {
  const read = readRow(reading.layouts, row);
  const isDate = row.fields.length === 1 && row.date.unknownZone === undefined;
  if (read === undefined && !isDate) reading.listener.unread(row.text);
  else take(reading, { ...startOf(row), ...resultOf(read) });
}

function startOf({ date }: Row): Pick<LoopSample, 'at' | 'fine' | 'zoneless'> {
  const { at, fine, zoneless = false } = certain(date);
  return { at, fine, zoneless };
}

function resultOf(read: ReadRow | undefined): Pick<LoopSample, 'result' | 'target'> {
  if (read === undefined) return {};
  const { status, millis, target } = read;
  return { result: { status, millis }, ...(target === undefined ? {} : { target }) };
}

function readRow(layouts: readonly Layout[], row: Row): ReadRow | undefined {
  for (const layout of layouts) {
    const read = readBy(layout, row.fields);
    if (read === undefined) continue;
    refuseOther(layout, row, read);
    return read;
  }
  return labelled(layouts, row) ?? withoutStatus(layouts, row) ?? failure(row);
}

/** A later line may show that a column is not what it was taken for. */
function refuseOther({ columns, twins, within }: Layout, row: Row, { status }: ReadRow): void {
  const index = columns.findIndex((column) => totalUnits[column] !== undefined);
  const total = row.fields[index];
  const seconds = total === undefined ? Number.NaN : secondsIn(total);
  const other =
    twins.find((twin) => row.fields[twin] !== undefined && !meansSame(status, statusOf(row.fields[twin]))) ??
    within.find((one) => row.fields[one] !== undefined && secondsIn(row.fields[one]) > seconds + roundedSeconds);
  if (other === undefined) return;
  const which = twins.includes(other) ? columns.indexOf('status') : index;
  const what = twins.includes(other) ? 'the status' : 'the time of the whole answer';
  const reason = `columns ${which + 1} and ${other + 1} may each be ${what}`;
  throw refusedColumns({ reason, row, columns });
}

/**
 * A line of another form whose words say which number is the status: only a failure is believed without the time of the
 * answer.
 */
function labelled(layouts: readonly Layout[], { fields }: Row): ReadRow | undefined {
  const status = fields.find((field) => field.meaning === 'status' && isStatus(field))?.value;
  if (status === undefined || layouts.some(({ columns }) => columns.includes('target'))) return undefined;
  const total = fields.find(({ meaning, kind }) => kind === 'number' && (meaning === 'total' || meaning === 'time'));
  const millis = total === undefined ? Number.NaN : Math.round(1000 * secondsIn(total));
  return isFailure(status) || !Number.isNaN(millis) ? { status, millis } : undefined;
}

/** A line that has a word for no answer where others have the status. */
function withoutStatus(layouts: readonly Layout[], { fields }: Row): ReadRow | undefined {
  const isWithout = ({ columns }: Layout) => {
    const field = fields[columns.indexOf('status')];
    return field?.kind === 'word' && !columns.includes('target') && isNoStatus(field.text);
  };
  return layouts.some(isWithout) ? { status: 0, millis: Number.NaN } : undefined;
}

/** A line that says in words, or by nothing but a status, that a request failed. */
function failure({ fields, text, message }: Row): ReadRow | undefined {
  if (message === undefined && !saysFailure(text)) return undefined;
  const status = fields.find((field) => isStatus(field) && field.value >= 400)?.value ?? 0;
  return { status: /\bcurl: \(/.test(text) ? 0 : status, millis: Number.NaN };
}

function take(reading: Reading, sample: LoopSample): void {
  takeUndated(reading, sample);
  if (reading.last !== undefined) reading.gapMs = sample.at - reading.last.at;
  reading.last = sample;
  reading.listener.sample(sample);
}

/**
 * Failures without a time happened between the sample before and the one behind; the last may be the message of that
 * one.
 */
function takeUndated(reading: Reading, next: LoopSample | undefined): void {
  const { last, listener, gapMs } = reading;
  const lines = reading.undated;
  if (lines.length === 0) return;
  reading.undated = [];
  if (last === undefined || last.target !== undefined) {
    if (next?.result === undefined || !isFailure(next.result.status)) lines.forEach(listener.unread);
    return;
  }
  const isNexts = next?.result !== undefined && isFailure(next.result.status);
  const count = lines.length - Number(isNexts);
  const stepMs = next === undefined ? gapMs : (next.at - last.at) / (count + 1);
  for (let index = 1; index <= count; index++) {
    const at = Math.round(last.at + index * stepMs);
    listener.sample({ at, fine: last.fine, zoneless: last.zoneless, result: { status: 0, millis: Number.NaN } });
  }
}

/** A time in a zone that is ambiguous or unknown would be a guess. */
function certain(date: DatedText): DatedText {
  const { unknownZone: zone } = date;
  if (zone === undefined) return date;
  throw refused(
    `the time zone ${zone} in it is ambiguous or unknown: replace it with its offset, ${offsetAdvice(zone)}, or write the times with date -u`,
  );
}

/** The three places that say IST (time zone database). */
const offsetAdvice = (zone: string): string =>
  zone === 'IST'
    ? 'as in s/IST/+0530/ (India; +0200 in Israel, +0100 in Ireland)'
    : `such as +0100 for an hour ahead of UTC`;

export const columnsOf = ([layout]: readonly Layout[]): readonly Column[] => layout?.columns ?? ['time'];
