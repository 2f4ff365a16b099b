import type { Column } from './columns.ts';
import { type Row, secondsIn } from './layout.ts';
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
/**
 * A loop waits for each answer, so none lasts longer than from one line to the next; a few times, because a mean is
 * compared with a median.
 */
const mostGaps = 3;

type Columns = readonly (readonly Field[])[];

/**
 * The column with the time of the whole answer: one that is labelled so, or the only one with a unit of time or
 * decimals, or of several the one that is never shorter than another, because the phases of curl add up to it.
 */
export function learnTotal(columns: Columns, rows: readonly Row[], status: number): LearntTotal {
  const all = columns.flatMap((values, index) =>
    index !== status && values.every(({ kind, unit }) => kind === 'number' && !Number.isNaN(unit)) ? [index] : [],
  );
  const means = (index: number) => columns[index]?.[0]?.meaning;
  for (const meaning of ['total', 'time'] as const) {
    const labelled = all.filter((index) => means(index) === meaning);
    if (labelled.length > 0) return longest(columns, rows, labelled);
  }
  const free = all.filter((index) => means(index) === undefined);
  const timed = free.filter((index) =>
    columns[index]?.some(({ decimals, unit }) => decimals > 0 || unit !== undefined),
  );
  const byCurl = timed.filter((index) => columns[index]?.every(({ decimals }) => decimals === curlDecimals));
  if (timed.length > 0) return longest(columns, rows, byCurl.length > 0 ? byCurl : timed);
  const whole = free.filter((index) => !isCounted(columns[index] ?? []));
  return whole.length > 0 ? { between: whole } : { index: -1, column: '_', within: [] };
}

/** A number that is always the same, such as a port, or that goes up by one, as numbers of requests do. */
function isCounted(values: readonly Field[]): boolean {
  if (values.length < leastForCount) return false;
  const steps = values.slice(1).map(({ value }, index) => value - (values[index]?.value ?? 0));
  return steps.every((step) => step === 0) || steps.every((step) => step === 1);
}

function longest(columns: Columns, rows: readonly Row[], candidates: readonly number[]): LearntTotal {
  const seconds = (index: number) => (columns[index] ?? []).map((field) => secondsIn(field));
  const isLongest = (index: number) =>
    candidates.every((other) => {
      const others = seconds(other);
      return seconds(index).every((value, row) => value >= (others[row] ?? 0));
    });
  const index = candidates.find(isLongest);
  if (index === undefined) return { between: candidates };
  const column = unitOf(columns[index] ?? [], rows);
  if (column === undefined) return { between: [index] };
  const decimals = columns[index]?.[0]?.decimals;
  const isEven =
    decimals !== undefined && decimals >= 3 && columns[index]?.every((field) => field.decimals === decimals);
  return {
    index,
    column,
    within: candidates.filter((other) => other !== index),
    decimals: isEven ? decimals : undefined,
  };
}

/** Undefined where nothing shows it. */
function unitOf(values: readonly Field[], rows: readonly Row[]): Column | undefined {
  if (values.every(({ unit }) => unit !== undefined)) return 'total';
  const gaps = rows.slice(1).map(({ date }, index) => (date.at - (rows[index]?.date.at ?? 0)) / 1000);
  const gap = Math.max(1, median(gaps.filter((seconds) => seconds >= 0)));
  const sorted = values.map(({ value }) => value);
  const isTooLong = sorted.length >= leastForUnit && median(sorted) > mostGaps * gap;
  if (isTooLong) return median(sorted) > 1000 * mostGaps * gap ? 'total_us' : 'total_ms';
  const hasDecimals = values.some(({ decimals }) => decimals > 0);
  return hasDecimals || sorted.every((value) => value === 0) ? 'total' : undefined;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
