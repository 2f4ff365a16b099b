import type { Command } from '../../host/host.ts';
import { git } from './git.ts';

/** How a path differs between two commits. */
export interface Difference {
  readonly path: string;
  /** git's status letter: A added, D deleted, M modified, T type changed. */
  readonly letter: string;
  /** The blob ids of the file before and after; none for a submodule. */
  readonly blobs: readonly string[];
  /** Whether it is a submodule in both commits. */
  readonly isBump?: true;
}

/** Lists the differences between two commits, named by full ids. Settings that hide submodules have no effect. */
export function differences(from: string, to: string): Command {
  return git('diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--ignore-submodules=none', from, to);
}

/** Parses its output: `:100644 100644 <before> <after> M`, and then the path (git-diff-tree(1), raw output format). */
export function differencesIn(stdout: string): readonly Difference[] {
  const words = stdout.split('\0');
  return words.flatMap((word, index) => {
    const [, modes = '', before = '', after = '', letter] =
      /^:(\d+ \d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])/.exec(word) ?? [];
    const path = words[index + 1];
    if (index % 2 === 1 || letter === undefined || path === undefined) return [];
    const isSubmodule = modes.includes('160000');
    const bump = modes === '160000 160000' ? ({ isBump: true } as const) : {};
    return [{ path, letter, blobs: isSubmodule ? [] : [before, after].filter((id) => !/^0+$/.test(id)), ...bump }];
  });
}
