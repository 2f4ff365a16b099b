import type { CommandEntry } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';

/** The commands on a copy of a cluster. */
export const copyCommands: readonly CommandEntry[] = [
  {
    name: 'what-if',
    summary: 'say who goes down and what blocks when nodes of a copied cluster are drained or lost',
    arguments: [
      { name: '<action>', summary: 'drain, or lose' },
      { name: '[node...]', summary: 'the nodes' },
    ],
    options: [
      {
        flags: '--cluster <path...>',
        summary: 'the copy: a snapshot, files of kubectl get -o yaml or json, or the folder of a dump',
      },
      { flags: '--zone <zone>', summary: 'lose all nodes of this zone' },
      { flags: '--seed <n>', summary: 'seed of the random numbers (default 1)' },
    ],
    failed: exitCodes.inconclusive,
    load: async () => (await import('./what-if.ts')).whatIf,
  },
];
