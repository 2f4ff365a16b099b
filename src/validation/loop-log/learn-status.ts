import { isFailure } from './layout.ts';
import type { Field } from './line-fields.ts';
import { isStatus } from './statuses.ts';

/** -1 where no column is the status. */
export type LearntStatus =
  | { readonly index: number; readonly twins: readonly number[] }
  /** Each of them may be it, and they do not say the same. */
  | { readonly between: readonly number[] };

/** The column in which every number is a status; one that is labelled so stands over the others. */
export function learnStatus(columns: readonly (readonly Field[])[]): LearntStatus {
  const may = columns.flatMap((values, index) => (values.every(mayBeStatus) ? [index] : []));
  const labelled = may.filter((index) => columns[index]?.[0]?.meaning === 'status');
  const [index = -1, ...twins] = labelled.length > 0 ? labelled : may;
  const differs = twins.some((twin) => !saysSame(columns[index] ?? [], columns[twin] ?? []));
  return differs ? { between: [index, ...twins] } : { index, twins };
}

function mayBeStatus(field: Field): boolean {
  const { kind, meaning } = field;
  return kind === 'number' && (meaning === undefined || meaning === 'status') && isStatus(field);
}

const saysSame = (one: readonly Field[], other: readonly Field[]): boolean =>
  one.every(({ value }, row) => meansSame(value, other[row]?.value));

/** Whether two statuses of a row lead to the same judgement, whatever is expected. */
export const meansSame = (one: number, other: number | undefined): boolean =>
  one === other || (other !== undefined && isFailure(one) && isFailure(other));
