import { type Column, totalUnits } from './columns.ts';
import type { Meaning } from './labels.ts';
import { mayBeGrouped, type Row, secondsIn } from './layout.ts';
import type { Field } from './line-fields.ts';

/** -1 where no column is the time of the answer. */
export type LearntTotal =
  | {
      readonly index: number;
      readonly column: Column;
      readonly within: readonly number[];
      readonly decimals?: number | undefined;
    }
  /** Each of them may be it; or the only one may have one unit or another. */
  | { readonly between: readonly number[] };

/** Of curl's times since 7.61 (2018): six decimals. */
const curlDecimals = 6;
/** Fewer answers may all have been slow. */
const leastForUnit = 10;
/** Two numbers may be the same by chance. */
const leastForCount = 3;
const tornShare = 0.1;
/** One time may be there twice, once with fewer decimals. */
export const roundedSeconds = 0.001;
/** So many times the usual gap between two lines no answer of a loop takes, that waits for each. */
const mostGaps = 3;

type Columns = readonly (readonly Field[])[];

/**
 * The column with the time of the whole answer: one that is labelled so, or the only one with a unit of time or
 * decimals, or of several the one that is never shorter than another, because the phases of curl add up to it.
 */
export function learnTotal(columns: Columns, rows: readonly Row[], status: number): LearntTotal {
  const all = columns.flatMap((values, index) => (index !== status && areTimes(values) ? [index] : []));
  const of = (meaning: Meaning | undefined) => all.filter((index) => columns[index]?.[0]?.meaning === meaning);
  for (const meaning of ['total', 'time'] as const)
    if (of(meaning).length > 0) return longest(columns, rows, of(meaning));
  const timed = withoutCounted(
    columns,
    of(undefined).filter((index) => columns[index]?.some(isTimed)),
  );
  const isCurls = (index: number) => columns[index]?.every(({ decimals }) => decimals === curlDecimals) === true;
  const isShort = (index: number) =>
    columns[index]?.some(({ unit }) => unit !== undefined) || unitOf(columns[index] ?? [], rows) === 'total';
  const likely = timed.some(isCurls) ? timed.filter((index) => isCurls(index) || isShort(index)) : timed;
  if (likely.length > 0) return longest(columns, rows, likely);
  if (of('first-byte').length > 0) return longest(columns, rows, of('first-byte'));
  const rest = [...of(undefined), ...of('unknown').filter((index) => columns[index]?.some(isTimed))];
  const whole = rest.filter((index) => !isCounted(columns[index] ?? []));
  return whole.length > 0 ? { between: whole } : { index: -1, column: '_', within: [] };
}

/** Numbers of no other unit; the units of torn lines are not all there. */
function areTimes(values: readonly Field[]): boolean {
  const others = values.filter(({ unit }) => Number.isNaN(unit));
  return values.every(({ kind }) => kind === 'number') && others.length <= tornShare * values.length;
}

const isTimed = ({ decimals, unit }: Field): boolean => decimals > 0 || unit !== undefined;

/** A number that is always the same, such as a port, or that goes up by one, as numbers of requests do. */
function isCounted(values: readonly Field[]): boolean {
  if (values.length < leastForCount) return false;
  const steps = values.slice(1).map(({ value }, index) => value - (values[index]?.value ?? 0));
  return steps.every((step) => step === 0) || steps.every((step) => step === 1);
}

/** Less what counts, and, beside others, what always is the same second or more: a version, a limit. */
function withoutCounted(columns: Columns, timed: readonly number[]): readonly number[] {
  const isConstant = (index: number) => secondsIn(columns[index]?.[0] as Field) >= 1 && isCounted(columns[index] ?? []);
  const others = timed.filter((index) => !isConstant(index));
  return others.length > 0 ? others : timed;
}

function longest(columns: Columns, rows: readonly Row[], candidates: readonly number[]): LearntTotal {
  const seconds = (index: number) => (columns[index] ?? []).map((field) => secondsIn(field));
  const isLongest = (index: number, within = 0) =>
    candidates.every((other) => {
      const others = seconds(other);
      return seconds(index).every((value, row) => value >= (others[row] ?? 0) - within);
    });
  const areLabelled = columns[candidates[0] ?? -1]?.[0]?.meaning !== undefined;
  const index =
    candidates.find((one) => isLongest(one)) ??
    (areLabelled ? candidates.find((one) => isLongest(one, roundedSeconds)) : undefined);
  if (index === undefined || !(areLabelled || areAlike(columns, rows, candidates))) return { between: candidates };
  const column = unitOf(columns[index] ?? [], rows);
  if (column === undefined) return { between: [index] };
  return {
    index,
    column,
    within: candidates.filter((other) => other !== index),
    decimals: evenly(columns[index] ?? []),
  };
}

/** Whether several columns may be phases of one time: written in one way, each short enough for the loop. */
function areAlike(columns: Columns, rows: readonly Row[], candidates: readonly number[]): boolean {
  if (candidates.length < 2) return true;
  const ways = new Set(candidates.map((index) => Math.max(...(columns[index] ?? []).map(({ decimals }) => decimals))));
  return ways.size === 1 && candidates.every((index) => unitOf(columns[index] ?? [], rows) === 'total');
}

function evenly(values: readonly Field[]): number | undefined {
  const [decimals = 0] = values.map((field) => field.decimals);
  const isEven = (decimals === 0 || decimals >= 3) && values.every((field) => field.decimals === decimals);
  return isEven ? decimals : undefined;
}

/** Undefined where nothing shows it, or it may be one unit or another. */
function unitOf(values: readonly Field[], rows: readonly Row[]): Column | undefined {
  if (values.every(({ unit }) => unit !== undefined)) return areGrouped(values) ? undefined : 'total';
  const gap = gapOf(rows);
  const usual = values.length < leastForUnit ? 0 : usualOf(values.map(({ value }) => value));
  if (usual > gap) return smallerUnit(usual, gap);
  const hasDecimals = values.some(({ decimals }) => decimals > 0);
  return hasDecimals || values.every(({ value }) => value === 0) ? 'total' : undefined;
}

/** From the longest to the shortest. */
const smallerUnits = ['total_ms', 'total_us', 'total_ns'] as const;

/** Of numbers that are too long as seconds: but a little longer they may be seconds of requests that overlap. */
function smallerUnit(usual: number, gap: number): Column | undefined {
  if (usual <= mostGaps * gap) return undefined;
  const seconds = (unit: Column) => usual * (totalUnits[unit] ?? 1);
  const unit = smallerUnits.find((one) => seconds(one) <= mostGaps * gap);
  return unit !== undefined && seconds(unit) <= gap ? unit : undefined;
}

/** Milliseconds of which some are whole, and all others have three decimals: those may be thousands. */
function areGrouped(values: readonly Field[]): boolean {
  const small = values.filter(({ unit = 1 }) => unit < 1);
  const isWhole = ({ decimals }: Field) => decimals === 0;
  return small.some(isWhole) && small.some(mayBeGrouped) && small.every((one) => isWhole(one) || mayBeGrouped(one));
}

/** A loop waits for each answer, so that most of them are not longer than from one line to the next. */
function gapOf(rows: readonly Row[]): number {
  const gaps = rows.slice(1).map(({ date }, index) => (date.at - (rows[index]?.date.at ?? 0)) / 1000);
  const forwards = gaps.filter((seconds) => seconds >= 0);
  return Math.max(1, Math.min(mean(forwards), 2 * median(forwards)));
}

/** The lesser of mean and median, because a few answers may be long. */
const usualOf = (values: readonly number[]): number => Math.min(mean(values), median(values));

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
