import { verdictReasons, verdictWords } from '../../report/verdict.ts';
import type { ResultRow, RunResult } from '../../validation/judge/run-result.ts';

/** A run in one line. Instants are epoch milliseconds. */
export interface RunLine {
  readonly folder: string;
  readonly id: string;
  /** `rehearsal`, or the cluster that was validated. */
  readonly what: string;
  readonly startedAt: number;
  /** When it was: of a rehearsal, whose clock begins with every run at the same instant, when it was written last. */
  readonly at: number;
  /** Null for a run without an end. */
  readonly finishedAt: number | null;
  /**
   * `live`, or `silent`: it has no end, and nothing was written any more; else its verdict; `unreadable` is one that
   * this version cannot read.
   */
  readonly state: 'live' | 'silent' | 'unreadable' | RunResult['verdict'];
  readonly words: string;
  readonly reasons: string;
  /** The rows of the result table in their order. */
  readonly downtimes: readonly { readonly scenario: string; readonly downtime: ResultRow['downtime'] }[];
}

/** `isSilent` counts for a run without an end; `writtenAt` is the time of its files. */
export function runLine(
  folder: string,
  result: RunResult,
  { writtenAt, isSilent }: { readonly writtenAt: number; readonly isSilent: boolean },
): RunLine {
  const { run, resultTable, verdict } = result;
  const isOver = run.finishedAt !== null;
  const unfinished = isSilent ? 'silent' : 'live';
  return {
    folder,
    id: run.id,
    what: run.kind === 'rehearsal' ? 'rehearsal' : `validation of ${run.cluster}`,
    startedAt: Date.parse(run.startedAt),
    at: run.kind === 'rehearsal' ? writtenAt : Date.parse(run.startedAt),
    finishedAt: run.finishedAt === null ? null : Date.parse(run.finishedAt),
    state: isOver ? verdict : unfinished,
    words: isOver ? verdictWords(result) : words[unfinished],
    reasons: isOver ? verdictReasons(result).join('; ') : '',
    downtimes: resultTable.map(({ scenario, downtime }) => ({ scenario, downtime })),
  };
}

/** A run that this version cannot read, such as one whose journal is damaged: when it was written last, and why. */
export const unreadableLine = (folder: string, writtenAt: number, because: string): RunLine => ({
  folder,
  id: '',
  what: '',
  startedAt: writtenAt,
  at: writtenAt,
  finishedAt: null,
  state: 'unreadable',
  words: 'cannot be read',
  reasons: because,
  downtimes: [],
});

const words = { live: 'live', silent: 'no end' };
