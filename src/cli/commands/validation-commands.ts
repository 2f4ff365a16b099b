import { clusterOptions, runOptions } from '../cluster/cluster-options.ts';
import type { CommandEntry } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { measuringCommands } from './measuring-commands.ts';

/** Area A's commands (docs/contract.md, "Commands"). */
export const validationCommands: readonly CommandEntry[] = [
  {
    name: 'rehearse',
    summary: 'run the whole procedure on the embedded cluster, in virtual time',
    arguments: [
      {
        name: '[what]',
        summary: 'deploy: rehearse deploys instead (good, broken and killed ones, on a throw-away checkout)',
      },
    ],
    options: [
      { flags: '--seed <n>', summary: 'seed of the random numbers; the same seed repeats the same run (default 1)' },
      { flags: '--scenario <name...>', summary: 'only these scenarios (see holdfast explain)' },
      { flags: '--defect <name...>', summary: 'give the embedded cluster these defects (see holdfast explain)' },
      { flags: '--manifests <profile>', summary: 'which objects to apply: hardened (default) or plain' },
      {
        flags: '-f, --file <path...>',
        summary: 'rehearse the application of these manifests: files, folders, or - for standard input',
      },
      { flags: '--application <kind/name>', summary: 'which one, where visitors reach several' },
      { flags: '--together', summary: 'all of them in one run, as validate does: what they share is disturbed once' },
      {
        flags: '--front-door <names>',
        summary:
          'rehearse it behind these, side by side: ingress-nginx, envoy-gateway, traefik, alb, nlb (with commas)',
      },
      {
        flags: '--against <path...>',
        summary: 'rehearse these manifests too, and say what the change from them to those of -f does',
      },
      {
        flags: '--fail-on <what>',
        summary: 'any (default): exit 1 if the run fails; worse: only if it is worse than --against',
      },
      { flags: '--no-assumptions', summary: 'do not look for where the verdict turns with what manifests do not say' },
      { flags: '--summary <file>', summary: 'write the result for a pull request here, as Markdown' },
      { flags: '--vantage <place>', summary: 'in-cluster: probe from a pod in each zone too' },
      { flags: '--nodes <n>', summary: 'add n nodes with pods of other tenants, at most 5000' },
      { flags: '--out <dir>', summary: 'write the run folder here (default runs/<utc-time>-rehearsal)' },
      {
        flags: '--listen',
        summary:
          'make no run: serve the cluster on loopback in real time, for kubectl, curl, dig and holdfast validate',
      },
      { flags: '--listen-for <duration>', summary: 'stop serving after this time (default: when stopped)' },
    ],
    failed: exitCodes.inconclusive,
    load: async () => (await import('./rehearse.ts')).rehearse,
  },
  {
    name: 'validate',
    summary: 'run the whole procedure on a real cluster, and undo every disruption',
    options: [
      ...clusterOptions,
      ...runOptions,
      { flags: '--from <name>', summary: 'begin with this scenario and leave out those before it' },
      { flags: '--repeat <n>', summary: 'make n runs and report median and maximum of each figure (default 1)' },
      { flags: '--out <dir>', summary: 'write the run folder here (default runs/<utc-time>-cluster)' },
      {
        flags: '--downtime-log <file>',
        summary: 'follow this log of a monitor elsewhere (- for standard input), again for more vantage points',
        repeats: true,
      },
      {
        flags: '--rule <rule>',
        summary: 'with several of them: down when any prober is (default), all are, or most are',
      },
      {
        flags: '--abort-after <duration>',
        summary: 'after more unexpected downtime than this, undo everything and exit 1',
      },
      { flags: '--cleanup', summary: 'delete the applied objects at the end' },
      {
        flags: '--metrics <file|url>',
        summary: 'write the outcome for Prometheus: a .prom file of node_exporter, or a Pushgateway',
      },
      { flags: '--yes', summary: 'do not ask before disruptions that can be undone' },
      { flags: '--allow-terminate', summary: 'do not ask before the instance is terminated, which nothing undoes' },
    ],
    failed: exitCodes.inconclusive,
    load: async () => (await import('./validate.ts')).validate,
  },
  {
    name: 'precheck',
    summary: 'run phase 1, which says whether a run may begin; it only reads',
    options: [...clusterOptions, ...runOptions],
    failed: exitCodes.inconclusive,
    load: async () => (await import('./precheck.ts')).precheck,
  },
  {
    name: 'plan',
    summary: 'show every write that validate would make, its undo and its effect; it only reads',
    options: [
      ...clusterOptions,
      ...runOptions,
      { flags: '--from <name>', summary: 'begin with this scenario and leave out those before it' },
      { flags: '--cleanup', summary: 'plan for validate --cleanup, which deletes the applied objects at the end' },
      {
        flags: '--beside <file...>',
        summary: 'settings files of other applications: which scenarios of one disturb the other too',
      },
    ],
    load: async () => (await import('./plan.ts')).plan,
  },
  {
    name: 'audit',
    summary: 'check the requirements for zero downtime, in the cluster or in manifests',
    options: [
      ...clusterOptions,
      { flags: '-f, --file <file...>', summary: 'check these manifests instead of the cluster' },
    ],
    failed: exitCodes.inconclusive,
    load: async () => (await import('./audit.ts')).audit,
  },
  {
    name: 'rbac',
    summary: 'print the least Role and ClusterRole that the chosen scenarios need',
    options: [
      ...clusterOptions,
      ...runOptions,
      { flags: '--cleanup', summary: 'include the permissions of validate --cleanup' },
      { flags: '--iam', summary: 'print the IAM policy for AWS instead of the roles' },
      { flags: '--check', summary: 'print no roles: ask the API server which permissions you lack' },
    ],
    load: async () => (await import('./rbac.ts')).rbac,
  },
  {
    name: 'explain',
    summary: 'explain a scenario, a criterion or a defect: how it fails, what is measured',
    arguments: [{ name: '[name]', summary: 'such as node-drain, criterion-3 or slow-boot (default: list them all)' }],
    options: [],
    load: async () => (await import('./explain.ts')).explain,
  },
  {
    name: 'init',
    summary: 'write a commented holdfast.yaml',
    options: [
      { flags: '--force', summary: 'overwrite an existing file' },
      { flags: '--only <part>', summary: 'validation, or deployment for who only deploys (default: both)' },
    ],
    load: async () => (await import('./init.ts')).init,
  },
  ...measuringCommands,
  {
    name: 'report',
    summary: 'write all reports of a run again, or compare runs',
    arguments: [{ name: '<run...>', summary: 'the run folder; several, or a folder of runs, with --trend' }],
    options: [
      { flags: '--against <run>', summary: 'write nothing: say what became better or worse since this run' },
      { flags: '--metrics <file|url>', summary: 'write the outcome for Prometheus again, as validate does' },
      { flags: '--trend', summary: 'write nothing: a row for each run, in the order of their starts' },
      {
        flags: '--status-page <dir>',
        summary: 'write the status page of the targets of downtime logs, instead of runs, as static files',
      },
    ],
    failed: exitCodes.inconclusive,
    load: async () => (await import('./report.ts')).report,
  },
  {
    name: 'dashboard',
    summary: 'serve web pages on loopback: all runs and deploys, live and past',
    arguments: [
      { name: '[run]', summary: 'open with this run folder, or this downtime log (default: the list of all)' },
    ],
    options: [
      { flags: '--app-dir <dir>', summary: 'show the deploys of this checkout (APP_DIR)' },
      { flags: '--port <n>', summary: 'port on 127.0.0.1 (default: any free port)' },
      {
        flags: '--no-token',
        summary: 'no token in the address: everybody on this machine can look in, as for a proxy in front',
      },
    ],
    load: async () => (await import('./dashboard.ts')).dashboard,
  },
  {
    name: 'recover',
    summary: 'undo what an interrupted run left in the cluster',
    arguments: [{ name: '[run]', summary: 'the run folder (default: the newest in runs/ with something to undo)' }],
    options: [
      { flags: '--kubeconfig <file>', summary: 'kubeconfig (default: the one of the run)' },
      { flags: '--context <name>', summary: 'context of the kubeconfig (default: the one of the run)' },
      { flags: '--cleanup', summary: 'also delete the objects that the run applied' },
      { flags: '--trust <folder>', summary: 'undo what this folder says, which somebody else wrote, or you elsewhere' },
    ],
    load: async () => (await import('./recover.ts')).recover,
  },
];
