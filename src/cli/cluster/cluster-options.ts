import type { CommandOption } from '../command/command.ts';

/** Which cluster: the flags of every command that uses a real one, named as kubectl's. */
export const clusterOptions: readonly CommandOption[] = [
  { flags: '--kubeconfig <file>', summary: 'kubeconfig (default: KUBECONFIG, then ~/.kube/config)' },
  { flags: '--context <name>', summary: 'context of the kubeconfig (default: its current one)' },
  {
    flags: '--namespace <name>',
    summary: 'namespace of the application (default: that of the settings, then of the context)',
  },
];

/** Which scenarios, on which objects. */
export const runOptions: readonly CommandOption[] = [
  { flags: '--scenario <name...>', summary: 'only these scenarios (see holdfast explain)' },
  {
    flags: '--manifests <profile>',
    summary: 'which objects to apply: hardened (default), plain, or none to use those that are there',
  },
  {
    flags: '-f, --file <path...>',
    summary: 'apply these manifests instead: files, folders, or - for standard input',
  },
  { flags: '--application <kind/name>', summary: 'which application of -f, where visitors reach several' },
  { flags: '--load-workers <n>', summary: 'the load comes from n pods (default: load.workers, or this machine)' },
  {
    flags: '--vantage <place>',
    summary: 'in-cluster: probe from a pod in each zone too, outside of what is disturbed',
  },
];
