import { type Column, totalUnits } from './columns.ts';
import type { DatedText } from './date-text.ts';
import type { Field } from './line-fields.ts';
import { statusOf } from './statuses.ts';
import { stateOf } from './words.ts';

/** What a loop wrote of one request. */
export interface Row {
  readonly date: DatedText;
  readonly fields: readonly Field[];
  readonly text: string;
  /** What curl itself said between the date and the result. */
  readonly message?: string | undefined;
}

/** What the columns of a loop's lines hold. */
export interface Layout {
  readonly columns: readonly Column[];
  /** The kinds of the columns, one letter each; empty where somebody named the columns. */
  readonly kinds: string;
  /** Other columns that may be the status: on every line that was learnt from they said the same. */
  readonly twins: readonly number[];
  /** Other times, none of which was ever longer than the total. */
  readonly within: readonly number[];
  /** How many decimals every total has; undefined where that differs. A torn line has fewer; 0: none has any. */
  readonly decimals?: number | undefined;
}

export const namedLayout = (columns: readonly Column[]): Layout => ({ columns, kinds: '', twins: [], within: [] });

/** What a row says by a layout. */
export interface ReadRow {
  /** 0 without an answer, 200 where the loop writes only that all is well. */
  readonly status: number;
  /** NaN where no time stands there. */
  readonly millis: number;
  readonly target?: string | undefined;
}

export const kindsOf = (fields: readonly Field[]): string => fields.map(({ kind }) => kind.charAt(0)).join('');

/** Undefined for a row that is not of this layout, or of which so much is missing that it may be good or bad. */
export function readBy(layout: Layout, fields: readonly Field[]): ReadRow | undefined {
  if (!isOfKinds(layout, fields)) return undefined;
  const { columns } = layout;
  const status = statusIn(fields[columns.indexOf('status')]);
  const states = statesIn(columns, fields);
  if (status === undefined && states.length === 0) return undefined;
  const isDown = states.includes(false);
  const target = fields[columns.indexOf('target')]?.text;
  const read: ReadRow = {
    status: isDown ? downStatus(status) : (status ?? 200),
    millis: millisIn(layout, fields),
    ...(target === undefined ? {} : { target }),
  };
  const isLackingState = columns.includes('state') && states.length === 0;
  return isDown || isFailure(read.status) || (!isLackingState && isWhole(columns, read, status)) ? read : undefined;
}

/** Whether its columns up to the last that counts, as far as it has them, are those of the layout. */
function isOfKinds({ columns, kinds }: Layout, fields: readonly Field[]): boolean {
  const used = columns.findLastIndex((column) => column !== '_') + 1;
  const compared = Math.min(used, fields.length, kinds.length);
  for (let index = 0; index < compared; index++)
    if (fields[index]?.kind.charCodeAt(0) !== kinds.charCodeAt(index)) return false;
  return true;
}

/** A good answer may have been slow. */
function isWhole(columns: readonly Column[], { millis, target }: ReadRow, status: number | undefined): boolean {
  const lacksTotal = hasTotal(columns) && Number.isNaN(millis);
  const lacksStatus = columns.includes('status') && status === undefined;
  return !lacksTotal && !lacksStatus && (target !== undefined || !columns.includes('target'));
}

export const hasTotal = (columns: readonly Column[]): boolean =>
  columns.some((column) => totalUnits[column] !== undefined);

/** No status that a loop may wait for. */
export const isFailure = (status: number): boolean => status < 100 || status >= 400;

/** The loop itself calls it down: by its status, or without one. */
const downStatus = (status = 0): number => (isFailure(status) ? status : 0);

const statusIn = (field: Field | undefined): number | undefined =>
  field !== undefined && /^\d{3}$/.test(field.text) ? Number(field.text) : statusOf(field);

const none: readonly boolean[] = [];

function statesIn(columns: readonly Column[], fields: readonly Field[]): readonly boolean[] {
  if (!columns.includes('state') && !columns.includes('exit')) return none;
  const states = columns.map((column, index) => {
    const field = fields[index];
    if (column === 'exit') return field?.kind === 'number' ? field.value === 0 : undefined;
    return column === 'state' && field !== undefined ? stateOf(field.text) : undefined;
  });
  return states.filter((state) => state !== undefined);
}

function millisIn({ columns, decimals }: Layout, fields: readonly Field[]): number {
  const index = columns.findIndex((column) => totalUnits[column] !== undefined);
  const [column, field] = [columns[index], fields[index]];
  if (column === undefined || field === undefined || field.kind !== 'number') return Number.NaN;
  const isOther = decimals === 0 ? mayBeGrouped(field) : decimals !== undefined && field.decimals !== decimals;
  if (isOther) return Number.NaN;
  return Math.round(secondsIn(field, totalUnits[column]) * 1000);
}

/** Among whole milliseconds `1,400 ms` or `1.400 ms` has a separator of thousands. */
export const mayBeGrouped = ({ decimals, unit = 1 }: Field): boolean => decimals === 3 && unit < 1;

/** By its own unit, or by that of its column. */
export const secondsIn = ({ value, unit }: Field, ofColumn = 1): number => value * (unit ?? ofColumn);
