import { isFailure } from './layout.ts';
import type { Field } from './line-fields.ts';
import { isStatus, statusOf } from './statuses.ts';

/** -1 where no column is the status. */
export type LearntStatus =
  | { readonly index: number; readonly twins: readonly number[] }
  /** Each of them may be it, and they do not say the same. */
  | { readonly between: readonly number[] };

type Values = readonly Field[];

/**
 * The column in which every number is a status. One that is labelled so stands over the others, unless it is always the
 * same and another is not: that label is of the status that is expected.
 */
export function learnStatus(columns: readonly Values[]): LearntStatus {
  const may = columns.flatMap((values, index) => (values.every(mayBeStatus) && values.some(isStatus) ? [index] : []));
  const valuesOf = (index: number) => columns[index] ?? [];
  const isLabelled = (index: number) => valuesOf(index)[0]?.meaning === 'status';
  const labelled = may.filter(isLabelled);
  const [index = -1, ...others] = labelled.length > 0 ? [...labelled, ...may.filter((one) => !isLabelled(one))] : may;
  const differing = others.filter((other) => !saysSame(valuesOf(index), valuesOf(other)));
  const rivals =
    labelled.length === 0 ? differing : differing.filter((one) => isLabelled(one) || varies(valuesOf(one)));
  if (rivals.length > 0) return { between: [index, ...rivals].toSorted((a, b) => a - b) };
  return { index, twins: others.filter((other) => !differing.includes(other)) };
}

const varies = ([first, ...others]: Values): boolean => others.some(({ value }) => value !== first?.value);

function mayBeStatus(field: Field): boolean {
  const { kind, meaning } = field;
  return kind === 'number' && (meaning === undefined || meaning === 'status') && statusOf(field) !== undefined;
}

const saysSame = (one: Values, other: Values): boolean =>
  one.every((field, row) => meansSame(statusOf(field) ?? 0, statusOf(other[row])));

/** Whether two statuses of a row lead to the same judgement, whatever is expected. */
export const meansSame = (one: number, other: number | undefined): boolean =>
  one === other || (other !== undefined && isFailure(one) && isFailure(other));
