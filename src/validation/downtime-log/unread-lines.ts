import type { Column } from '../loop-log/columns.ts';

/** How much of a log was understood. */
export interface Understood {
  /** All but empty ones and those that begin with `#`. */
  readonly lines: number;
  readonly unread: number;
  /** The first line that was not understood. */
  readonly first: string | undefined;
  /** What the columns of a loop's log hold, or those of ours; empty where no line was read. */
  readonly columns: readonly Column[];
}

/** Of a log of `holdfast monitor`. */
export const ourColumns: readonly Column[] = ['time', 'status', 'total'];

/** More of a line is not shown. */
const longestShown = 200;

/** Counts lines, and keeps the first that is not understood. */
export function unreadLines(): {
  readonly counts: { lines: number; unread: number; first: string | undefined };
  /** Whether a line is not empty; then it is counted. */
  readonly isLine: (line: string) => boolean;
  readonly take: (line: string) => void;
} {
  const counts: { lines: number; unread: number; first: string | undefined } = {
    lines: 0,
    unread: 0,
    first: undefined,
  };
  return {
    counts,
    isLine: (line) => {
      const isLine = line.trim() !== '';
      if (isLine) counts.lines += 1;
      return isLine;
    },
    take: (line) => {
      counts.unread += 1;
      counts.first ??= line.slice(0, longestShown);
    },
  };
}
