import { total } from '../../host/load/tally.ts';
import type { WorkerReport } from '../../host/load/worker.ts';

/**
 * The report by which a worker's log ends, or its termination message; undefined if there is none, or one that cannot
 * be.
 */
export function readReport(text: string | undefined): WorkerReport | undefined {
  const line = text?.split('\n').findLast((one) => one.startsWith('{"holdfast":"load-worker"'));
  if (line === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isReport(value) && isConsistent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isNumber: Check = (value) => typeof value === 'number' && value >= 0;
const isCount: Check = (value) => Number.isSafeInteger(value) && isNumber(value);
const isNullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const areCounts: Check = (value) => isObject(value) && Object.values(value).every(isCount);
const isStep: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(isCount);
const isHistogram: Check = (value) =>
  isObject(value) && isNumber(value.maxSeconds) && Array.isArray(value.steps) && value.steps.every(isStep);

const fields: { readonly [K in keyof WorkerReport]-?: Check } = {
  holdfast: (value) => value === 'load-worker',
  version: (value) => value === 1,
  index: isCount,
  requests: isCount,
  startAt: isNullOr(isNumber),
  toldAt: isNullOr(isNumber),
  amiss: (value) => value === undefined || ['no-start', 'late', 'starved', 'stopped'].includes(String(value)),
  startedAt: isNumber,
  seconds: isNumber,
  statuses: areCounts,
  errors: areCounts,
  histogram: isNullOr(isHistogram),
};

const isReport = (value: unknown): value is WorkerReport =>
  isObject(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

/** Nothing is under two outcomes, and each request with a status has its time. */
function isConsistent({ requests, statuses, errors, histogram }: WorkerReport): boolean {
  const timed = histogram?.steps.reduce((sum, [, count]) => sum + count, 0);
  const answered = total(statuses);
  return answered + total(errors as Fields & Record<string, number>) <= requests && (timed ?? answered) === answered;
}
