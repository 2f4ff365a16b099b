import type { CommandOption } from '../command/command.ts';

/** Which cluster, in kubectl's own words: what every command of a real cluster takes. */
export const clusterOptions: readonly CommandOption[] = [
  { flags: '--kubeconfig <file>', summary: 'default: KUBECONFIG, then ~/.kube/config' },
  { flags: '--context <name>', summary: 'default: the current one' },
  { flags: '--namespace <name>', summary: "default: the settings', then the context's" },
];

/** What a run would be. */
export const runOptions: readonly CommandOption[] = [
  { flags: '--scenario <name...>', summary: 'only these scenarios' },
  { flags: '--manifests <profile>', summary: 'hardened (default), plain, or none: what is there already' },
];
