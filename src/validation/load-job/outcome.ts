import type { LoadCounted, LoadPlan } from '../../host/host.ts';
import { merge, withoutHistogram } from '../../host/load/merge.ts';
import { shareOf } from '../../host/load/shares.ts';
import { counted, total } from '../../host/load/tally.ts';
import type { WorkerReport } from '../../host/load/worker.ts';
import type { LoadRecorded, WorkerAmiss } from '../record/load-recorded.ts';

/** How one worker ended. */
export interface WorkerEnd {
  readonly index: number;
  readonly pod?: string;
  readonly report?: WorkerReport;
  /** Why there is no report. */
  readonly because?: string;
}

/**
 * The load that all workers made. What a worker did not report is not sent: whoever was lost, late or starved counts
 * with what it surely did, and the rest of its share is under no status and no error.
 */
export function outcomeOf(plan: LoadPlan, workers: number, ends: readonly WorkerEnd[], startAt: number): LoadRecorded {
  const byIndex = new Map(ends.map((end) => [end.index, end]));
  const all = Array.from({ length: workers }, (_, index) => soundEnd(plan, workers, byIndex.get(index) ?? { index }));
  const reports = all.flatMap(({ report }) => report ?? []);
  const sent = reports.filter(({ statuses, errors }) => total(statuses) + total(errors) > 0);
  const timed = sent.map((report) => ({ ...report, histogram: report.histogram ?? noTimes }));
  const merged = merge(plan.requests, timed) ?? nothing(plan, startAt);
  const amiss = all.flatMap((end) => amissOf(plan, workers, end));
  const starts = sent.map(({ startedAt }) => startedAt);
  const isUntimed = sent.length > 0 && sent.every(({ histogram }) => histogram === null);
  return {
    ...withoutHistogram(merged),
    ...(isUntimed ? { percentiles: null } : {}),
    ...(plan.generator === undefined ? {} : { generator: plan.generator }),
    workers: {
      asked: workers,
      sound: workers - amiss.length,
      startSpreadSeconds: starts.length < 2 ? null : (Math.max(...starts) - Math.min(...starts)) / 1000,
      untimed: sent.filter(({ histogram }) => histogram === null).length,
      amiss,
    },
  };
}

const noTimes = { steps: [], maxSeconds: 0 };

const nothing = ({ requests }: LoadPlan, startedAt: number): LoadCounted =>
  counted({ requests, startedAt, seconds: 0, statuses: {}, errors: {}, histogram: noTimes });

/** A report of another worker or of another share counts for nothing. */
function soundEnd(plan: LoadPlan, workers: number, end: WorkerEnd): WorkerEnd {
  const { report, ...rest } = end;
  if (report === undefined) return end;
  const { requests } = shareOf(plan, workers, end.index);
  if (report.index === end.index && report.requests === requests) return end;
  return { ...rest, because: `its report is of worker ${report.index} with ${report.requests} requests` };
}

function amissOf(plan: LoadPlan, workers: number, { index, pod, report, because }: WorkerEnd): readonly WorkerAmiss[] {
  const { requests } = shareOf(plan, workers, index);
  const known = { index, ...(pod === undefined ? {} : { pod }), requests };
  if (report === undefined)
    return [{ ...known, what: 'lost', because: because ?? 'its pod never ran', unsent: requests }];
  const unsent = requests - total(report.statuses) - total(report.errors);
  if (unsent === 0 && report.amiss === undefined) return [];
  return [{ ...known, ...whatOf(report), unsent }];
}

function whatOf({ amiss, startAt, toldAt }: WorkerReport): Pick<WorkerAmiss, 'what' | 'because'> {
  if (amiss === 'no-start') return { what: 'late', because: 'it ran only after the common start' };
  if (amiss === 'late')
    return {
      what: 'late',
      because: `it was told the common start ${(((toldAt ?? 0) - (startAt ?? 0)) / 1000).toFixed(1)} s after it`,
    };
  if (amiss === 'stopped') return { what: 'stopped', because: 'its pod was stopped before it had sent its share' };
  return { what: 'starved', because: 'it did not send its share in the time that it had' };
}
