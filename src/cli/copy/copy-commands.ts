import type { CommandEntry } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';

/** The commands on a copy of a cluster. */
export const copyCommands: readonly CommandEntry[] = [
  {
    name: 'snapshot',
    summary: 'copy a cluster into a file, by gets and lists alone: no Secret, no environment, no command is in it',
    options: [
      { flags: '--kubeconfig <file>', summary: 'kubeconfig (default: KUBECONFIG, then ~/.kube/config)' },
      { flags: '--context <name>', summary: 'context of the kubeconfig (default: its current one)' },
      { flags: '--namespace <name...>', summary: 'only the objects of these namespaces, and those of none' },
      { flags: '--anonymize', summary: 'pseudonyms instead of names: of objects, hosts, images, labels' },
      { flags: '--out <file>', summary: 'write it here (default cluster.snapshot.gz)' },
    ],
    load: async () => (await import('./snapshot.ts')).snapshot,
  },
  {
    name: 'what-if',
    summary:
      'say who goes down and what blocks on a copied cluster: nodes drained or lost, a workload rolled out or scaled',
    arguments: [
      { name: '<action>', summary: 'drain, lose, rollout or scale' },
      { name: '[name...]', summary: 'the nodes; or KIND/NAME, and of scale the number of replicas' },
    ],
    options: [
      {
        flags: '--cluster <path...>',
        summary:
          'the copy: a snapshot, files of kubectl get -o yaml or json, the folder of a dump (default: read the cluster)',
      },
      { flags: '--kubeconfig <file>', summary: 'kubeconfig (default: KUBECONFIG, then ~/.kube/config)' },
      { flags: '--context <name>', summary: 'context of the kubeconfig (default: its current one)' },
      { flags: '--all', summary: 'drain every node, each alone, and say which are the worst' },
      { flags: '--zone <zone>', summary: 'lose all nodes of this zone' },
      { flags: '--seed <n>', summary: 'seed of the random numbers (default 1)' },
    ],
    failed: exitCodes.inconclusive,
    load: async () => (await import('./what-if.ts')).whatIf,
  },
];
