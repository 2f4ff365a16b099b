import { clusterOptions, runOptions } from './cluster-options.ts';
import type { CommandEntry } from './command.ts';

/** Area A's commands (contract section 1). */
export const validationCommands: readonly CommandEntry[] = [
  {
    name: 'rehearse',
    summary: 'the whole procedure on the embedded cluster, in virtual time',
    arguments: [
      { name: '[what]', summary: 'deploy: good, broken and killed deploys on a throw-away checkout instead' },
    ],
    options: [
      { flags: '--seed <n>', summary: 'the same seed gives the same run (default 1)' },
      { flags: '--scenario <name...>', summary: 'only these scenarios' },
      { flags: '--defect <name...>', summary: 'make the embedded cluster bad in these ways' },
      { flags: '--manifests <profile>', summary: 'hardened (default) or plain' },
      { flags: '--nodes <n>', summary: 'more nodes, with other tenants’ pods' },
      { flags: '--out <dir>', summary: 'the run folder (default runs/<utc-time>-rehearsal)' },
      { flags: '--listen', summary: 'serve that cluster on loopback in real time, for kubectl, curl and dig' },
      { flags: '--listen-for <duration>', summary: 'and end after this' },
    ],
    load: async () => (await import('./commands/rehearse.ts')).rehearse,
  },
  {
    name: 'validate',
    summary: 'the whole procedure on a real cluster, every disruption undone',
    options: [
      ...clusterOptions,
      ...runOptions,
      { flags: '--from <name>', summary: 'begin with this scenario' },
      { flags: '--repeat <n>', summary: 'as many runs, and their medians and worst' },
      { flags: '--out <dir>', summary: 'the run folder (default runs/<utc-time>-cluster)' },
      { flags: '--downtime-log <file>', summary: 'a bastion’s log, or -, instead of probing from here' },
      { flags: '--abort-after <duration>', summary: 'more unexpected downtime: undo now, exit 1' },
      { flags: '--cleanup', summary: 'in the end remove what was applied' },
      { flags: '--yes', summary: 'do not ask before what is undone' },
      { flags: '--allow-terminate', summary: 'do not ask before an instance is ended' },
    ],
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  {
    name: 'precheck',
    summary: 'phase 1: whether a run may begin; reads only',
    options: [...clusterOptions, ...runOptions],
    load: async () => (await import('./commands/precheck.ts')).precheck,
  },
  {
    name: 'plan',
    summary: 'every write that validate would make, its undo, and what is expected',
    options: [
      ...clusterOptions,
      ...runOptions,
      { flags: '--from <name>', summary: 'begin with this scenario' },
      { flags: '--cleanup', summary: 'as if what was applied were removed in the end' },
    ],
    load: async () => (await import('./commands/plan.ts')).plan,
  },
  {
    name: 'audit',
    summary: 'the requirements for real zero downtime, on the live cluster or on manifests',
    options: [...clusterOptions, { flags: '-f, --file <file...>', summary: 'manifests instead of the cluster' }],
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  {
    name: 'rbac',
    summary: 'the least roles for the chosen scenarios',
    options: [
      ...clusterOptions,
      ...runOptions,
      { flags: '--cleanup', summary: 'with what removes the applied objects' },
      { flags: '--check', summary: 'ask the API server whether the caller has them' },
    ],
    load: async () => (await import('./commands/rbac.ts')).rbac,
  },
  {
    name: 'explain',
    summary: 'what a scenario, criterion or defect is, how it fails, what is measured',
    arguments: [{ name: '[name]', summary: 'without it: which there are' }],
    options: [],
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'init',
    summary: 'writes a commented holdfast.yaml',
    options: [{ flags: '--force', summary: 'also over one that is there' }],
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'monitor',
    summary: 'the downtime monitor alone: one probe a second, on schedule',
    arguments: [{ name: '<url>', summary: 'what to probe' }],
    options: [
      { flags: '--log <file>', summary: 'append here (default downtime.log)' },
      { flags: '--interval <duration>', summary: 'between probes (default 1s)' },
      { flags: '--timeout <duration>', summary: 'of a probe (default 10s)' },
      { flags: '--slow <duration>', summary: 'longer is slow, and counts as downtime (default 1s)' },
      { flags: '--expect <status>', summary: 'the good status (default 200)' },
      { flags: '--duration <duration>', summary: 'end after this (default: when stopped)' },
      { flags: '--target <url...>', summary: 'more targets' },
      { flags: '--metrics <address>', summary: 'Prometheus metrics on :PORT of loopback' },
    ],
    load: async () => (await import('./commands/monitor.ts')).monitor,
  },
  {
    name: 'analyze',
    summary: 'the outages of a downtime log, ours or a curl loop’s',
    arguments: [{ name: '<log>', summary: 'the log' }],
    options: [
      { flags: '--slow <duration>', summary: 'longer is slow (default: as the log says, or 1s)' },
      { flags: '--expect <status>', summary: 'the good status (default: as the log says, or 200)' },
      { flags: '--from <time>', summary: 'from here, ISO 8601' },
      { flags: '--to <time>', summary: 'to here, ISO 8601' },
    ],
    load: async () => (await import('./commands/analyze.ts')).analyze,
  },
  {
    name: 'report',
    summary: 'all reports again, from the run folder’s two files alone',
    arguments: [{ name: '<run>', summary: 'the run folder' }],
    options: [],
    load: async () => (await import('./commands/report.ts')).report,
  },
  {
    name: 'recover',
    summary: 'undoes what an interrupted run left',
    arguments: [{ name: '[run]', summary: 'the run folder (default: the newest with something to undo)' }],
    options: [
      { flags: '--kubeconfig <file>', summary: 'default: the run’s own' },
      { flags: '--context <name>', summary: 'default: the run’s own' },
      { flags: '--cleanup', summary: 'also removes what the run applied' },
    ],
    load: async () => (await import('./commands/recover.ts')).recover,
  },
];
