import type { Evidence } from './evidence.ts';

/** How many outages of the window began while the deed lasted, and how many when it was being undone or had been. */
export interface OutagesBegun {
  readonly beforeUndo: number;
  readonly afterUndo: number;
}

/** Pure. */
export function outagesBegun({ outages, rounds }: Pick<Evidence, 'outages' | 'rounds'>): OutagesBegun {
  const starts = outages.map(({ from }) => Date.parse(from));
  const afterUndo = starts.filter((start) => {
    const undoneAt = rounds.findLast(({ openedAt }) => openedAt <= start)?.undoneAt;
    return undoneAt !== undefined && start >= undoneAt;
  }).length;
  return { beforeUndo: starts.length - afterUndo, afterUndo };
}
