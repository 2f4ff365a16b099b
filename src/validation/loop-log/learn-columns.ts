import type { Column } from './columns.ts';
import { meaningOf } from './labels.ts';
import { isFailure, kindsOf, type Layout, type Row } from './layout.ts';
import { learnStatus } from './learn-status.ts';
import { learnTotal } from './learn-total.ts';
import type { Field } from './line-fields.ts';
import { saysFailure, stateOf } from './words.ts';

/** Why the columns cannot be told apart. */
export interface Refusal {
  readonly reason: string;
  /** A row with its columns, for the person who then names them; absent where no row has any. */
  readonly row?: Row;
  /** A guess at what to type. */
  readonly columns?: readonly Column[];
}
export type Learnt = { readonly layouts: readonly Layout[] } | { readonly refusal: Refusal };

/** A form that fewer rows have than this is no loop's, but something between its lines. */
const leastShare = 0.2;

/**
 * Learns from all rows of a log what its columns hold: a layout for each form that many of them have, the most frequent
 * first.
 */
export function learnColumns(rows: readonly Row[]): Learnt {
  const telling = rows.filter(({ fields, text }) => fields.length > 1 && !isOnlyFailure(fields, text));
  const forms = [...Map.groupBy(telling, ({ fields }) => formOf(fields)).values()]
    .filter((ofForm) => ofForm.length >= leastShare * telling.length)
    .sort((one, other) => other.length - one.length);
  const layouts: Layout[] = [];
  for (const ofForm of forms) {
    const learnt = learnForm(ofForm);
    if (learnt !== undefined && 'reason' in learnt) return { refusal: learnt };
    if (learnt !== undefined) layouts.push(learnt);
  }
  if (layouts.length > 0) return { layouts };
  // Every line says in words that a request failed.
  if (telling.length === 0 && rows.some(({ text }) => saysFailure(text))) return { layouts: [] };
  const row = forms[0]?.[0];
  return { refusal: { reason: 'no column of it is the status of an answer', ...(row === undefined ? {} : { row }) } };
}

/** A message says in words what failed, and its numbers are ports and addresses. */
const isOnlyFailure = (fields: readonly Field[], text: string): boolean =>
  /\bcurl: \(\d+\)/.test(text) || (saysFailure(text) && !fields.some(({ kind }) => kind === 'number'));

/** What follows the last number is text. */
function formOf(fields: readonly Field[]): string {
  const last = fields.findLastIndex(({ kind }) => kind !== 'word');
  return fields
    .slice(0, last + 1)
    .map(({ kind, meaning = '' }) => `${kind} ${meaning}`)
    .join();
}

/** Of the rows of a form so many have all columns: the others are torn. */
const wholeShare = 0.8;

function learnForm(all: readonly Row[]): Layout | Refusal | undefined {
  const widths = all.map(({ fields }) => fields.length).toSorted((a, b) => b - a);
  const width = widths[Math.floor(wholeShare * (widths.length - 1))] ?? 0;
  const rows = all.filter(({ fields }) => fields.length >= width);
  const [row] = rows;
  if (row === undefined) return undefined;
  const column = (index: number) => rows.map(({ fields }) => fields[index] as Field);
  const columns = Array.from({ length: width }, (_, index) => column(index));
  const status = learnStatus(columns);
  if ('between' in status) return ambiguous('status', status.between, row, width);
  const state = learnState(columns, status.index);
  const exit = columns.findIndex((values) => values[0]?.meaning === 'exit' && values[0].kind === 'number');
  if (status.index < 0 && state < 0 && exit < 0) return undefined;
  const total = learnTotal(columns, rows, status.index);
  if ('between' in total) return ambiguous('total', total.between, row, width, status.index);
  const target = columns.findIndex((values, index) => index !== state && isTargetColumn(values, rows));
  const names: Column[] = columns.map((values) => (values[0]?.kind === 'time' ? 'time' : '_'));
  const name = (index: number, as: Column) => {
    if (index >= 0) names[index] = as;
  };
  name(status.index, 'status');
  name(state, 'state');
  name(exit, 'exit');
  name(total.index, total.column);
  name(target, 'target');
  return {
    columns: names,
    kinds: kindsOf(row.fields.slice(0, width)),
    twins: status.twins,
    within: total.within,
    decimals: total.decimals,
  };
}

/** Other words stand there on torn lines alone. */
const stateShare = 0.95;

/**
 * The column of words that are all up or down; of several the first that changes. What is always down beside good
 * answers is another word, such as that of a limit.
 */
function learnState(columns: readonly (readonly Field[])[], status: number): number {
  const states = columns.map((values) => values.map(({ kind, text }) => (kind === 'word' ? stateOf(text) : undefined)));
  const isLabel = (index: number) =>
    columns[index + 1]?.[0]?.kind === 'number' && columns[index]?.every(({ text }) => meaningOf(text) !== undefined);
  const known = (index: number) => (states[index] ?? []).filter((state) => state !== undefined);
  const isState = (index: number) =>
    known(index).length >= stateShare * (states[index]?.length ?? 0) && !isLabel(index);
  const changes = (index: number) => new Set(known(index)).size > 1;
  const hasGood = columns[status]?.some(({ value }) => !isFailure(value)) ?? false;
  const may = columns.flatMap((_, index) => (isState(index) ? [index] : []));
  return may.find(changes) ?? may.find((index) => !(hasGood && known(index)[0] === false)) ?? -1;
}

function ambiguous(
  what: 'status' | 'total',
  between: readonly number[],
  row: Row,
  width: number,
  status = -1,
): Refusal {
  const numbers = between.map((index) => index + 1);
  const names = what === 'status' ? 'the status' : 'the time of the whole answer';
  const reason =
    numbers.length === 1
      ? `column ${numbers[0]} may be ${names}, in seconds or in milliseconds, or something else`
      : `columns ${numbers.join(' and ')} may each be ${names}`;
  const guess = row.fields.slice(0, width).map(({ kind }, index): Column => {
    if (kind === 'time') return 'time';
    return index === status ? 'status' : index === between.at(0) ? what : '_';
  });
  return { reason, row, columns: guess };
}

/** More names than this are no targets. */
const mostTargets = 200;
/** Of the time between two lines of one target: so much of them is near the usual one. */
const regularShare = 0.8;

/**
 * Whether a column names what was asked, so that the log is of several loops: each name comes in a rhythm of its own,
 * and the lines of several come close together. Where they follow each other evenly, words tell a server that answered
 * in its turn, a version or a result; only addresses are then targets.
 */
function isTargetColumn(values: readonly Field[], rows: readonly Row[]): boolean {
  if (!values.every(({ kind, text }) => kind === 'word' && stateOf(text) === undefined)) return false;
  const byName = Map.groupBy(rows, (_, index) => values[index]?.text ?? '');
  if (byName.size < 2 || byName.size > mostTargets) return false;
  if (![...byName.values()].every(isRegular)) return false;
  return !areEven(rows) || [...byName.keys()].every((name) => /[a-z]\.[a-z]|\/\//i.test(name));
}

/** Whether nearly no line comes much sooner after another than lines do in the mean. */
function areEven(rows: readonly Row[]): boolean {
  const gaps = gapsOf(rows);
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  return gaps.filter((gap) => gap < mean / 2).length < (1 - regularShare) * gaps.length;
}

const gapsOf = (rows: readonly Row[]): readonly number[] =>
  rows.slice(1).map(({ date }, index) => date.at - (rows[index]?.date.at ?? 0));

function isRegular(rows: readonly Row[]): boolean {
  const gaps = gapsOf(rows);
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)];
  if (usual === undefined || usual === 0 || gaps.length < 3) return false;
  // Times in whole seconds are up to one off.
  const spread = usual / 4 + (rows.every(({ date }) => date.fine) ? 0 : 1000);
  const near = gaps.filter((gap) => Math.abs(gap - usual) <= spread);
  return near.length >= regularShare * gaps.length;
}
