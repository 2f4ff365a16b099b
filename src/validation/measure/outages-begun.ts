import type { Evidence } from './evidence.ts';

/** How many outages of the window began before the undo of their round, and how many after it. */
export interface OutagesBegun {
  readonly beforeUndo: number;
  readonly afterUndo: number;
}

type Begun = Pick<Evidence, 'rounds'> & { readonly outages: readonly Pick<Evidence['outages'][number], 'from'>[] };

export function outagesBegun({ outages, rounds }: Begun): OutagesBegun {
  const starts = outages.map(({ from }) => Date.parse(from));
  const afterUndo = starts.filter((start) => {
    const undoneAt = rounds.findLast(({ openedAt }) => openedAt <= start)?.undoneAt;
    return undoneAt !== undefined && start >= undoneAt;
  }).length;
  return { beforeUndo: starts.length - afterUndo, afterUndo };
}
