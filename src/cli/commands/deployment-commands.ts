import type { CommandEntry, CommandOption } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';

/** Which checkout: the flags of every command of Area B. */
const place: readonly CommandOption[] = [
  { flags: '--app-dir <dir>', summary: 'directory of the git checkout (APP_DIR)' },
  { flags: '--log-file <file>', summary: 'append the deployment log here (LOG_FILE)' },
];
/** Of commands that write no log: the flags of a deploy can be given to them too. */
const reading: readonly CommandOption[] = place.map((option) =>
  option.flags.startsWith('--log-file')
    ? { ...option, summary: 'the deployment log (LOG_FILE), which this command does not write' }
    : option,
);
const mode: CommandOption = {
  flags: '--mode <name>',
  summary: 'in-place (default), or releases: a folder for each commit',
};
const variant: CommandOption = {
  flags: '--variant <name>',
  summary: 'basic (no health check), full (default), or notify (the default where a notifier is set)',
};
const branch: CommandOption = { flags: '--branch <name>', summary: 'branch of the remote origin (BRANCH)' };
const message: CommandOption = { flags: '--message <text>', summary: 'why, for the history and the notifications' };
const preset: CommandOption = {
  flags: '--preset <name>',
  summary: 'laravel (default), laravel-atomic, symfony, wordpress, drupal, php, or none for a static site',
};
const health: readonly CommandOption[] = [
  { flags: '--health-url <url>', summary: 'address that answers 200 only if the site works (HEALTH_URL)' },
  { flags: '--health-attempts <n>', summary: 'requests before the health check has failed (default 1)' },
  { flags: '--health-deadline <duration>', summary: 'repeat the health check for this time before it has failed' },
  { flags: '--health-consecutive <n>', summary: 'good answers in a row that are needed (default 1)' },
  { flags: '--health-timeout <duration>', summary: 'timeout of one health request (default 10s)' },
  {
    flags: '--baseline <policy>',
    summary: 'if the site is down before the deploy: warn (default), refuse, or skip the check',
  },
  { flags: '--fastcgi <address>', summary: 'address of php-fpm, to reset its opcache (host:port or a socket’s path)' },
  { flags: '--probe-rate <n>', summary: 'send n requests a second during the deploy and report how many failed' },
  preset,
  { flags: '--subfolder <path>', summary: 'where the application is in its repository (default: its top)' },
];

/** Which servers instead of this machine, and how they are reached. */
const servers: readonly CommandOption[] = [
  { flags: '--host <server>', summary: 'on this server, by ssh: [USER@]HOST[:PORT]; again for more', repeats: true },
  { flags: '--hosts <file>', summary: 'on the servers of this file, one a line, with key=value for its own' },
  { flags: '--ssh-command <command>', summary: 'ssh with its options (default: ssh)' },
];
const batches: readonly CommandOption[] = [
  ...servers,
  { flags: '--batch <sizes>', summary: 'servers at once, batch by batch: 1,25%,100% (default 1)' },
  { flags: '--all-or-nothing', summary: 'where one server fails, those that are done go back' },
  { flags: '--drain <command>', summary: 'run this here before each server; {host} is replaced' },
  { flags: '--restore <command>', summary: 'run this here after each server, whatever happened' },
];
const runId: CommandOption = { flags: '--run-id <id>', summary: 'id of the run in the history (default: its time)' };

/** Area B's commands (docs/contract.md, "Commands"). */
export const deploymentCommands: readonly CommandEntry[] = [
  {
    name: 'deploy',
    summary: 'bring the checkout to the remote branch, check its health, roll back if it fails',
    options: [
      ...place,
      branch,
      ...health,
      mode,
      variant,
      { flags: '--clean', summary: 'first fix ownership, discard local edits and move untracked files aside' },
      { flags: '--backup-dir <dir>', summary: 'first write an archive of the checkout into this folder' },
      { flags: '--clone <url>', summary: 'clone this repository first if there is no checkout yet' },
      { flags: '--if-changed', summary: 'do nothing if the branch has no new commit' },
      { flags: '--commit <id|tag>', summary: 'deploy this commit or tag of origin, not the newest of the branch' },
      { flags: '--again', summary: 'deploy a commit even if it failed before and is quarantined' },
      message,
      runId,
      ...batches,
      { flags: '--dry-run', summary: 'print the plan and its commands, and run none of them' },
    ],
    unwritten: exitCodes.done,
    load: async () => (await import('./deploy.ts')).deploy,
  },
  {
    name: 'rollback',
    summary: 'go back to the last verified commit, or to the one named, and check its health',
    arguments: [{ name: '[commit]', summary: 'the commit to go back to (default: the last one that was verified)' }],
    options: [
      ...place,
      branch,
      ...health,
      mode,
      variant,
      message,
      runId,
      ...batches,
      { flags: '--steps <n>', summary: 'go back n verified commits (default 1)' },
    ],
    unwritten: exitCodes.done,
    load: async () => (await import('./rollback.ts')).rollback,
  },
  {
    name: 'status',
    summary: 'show the deployed commit, the last run, the lock, and what is wrong',
    options: [...reading, mode, preset, ...servers],
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'history',
    summary: 'list all deploys, rollbacks and backups, oldest first',
    options: reading,
    load: async () => (await import('./history.ts')).history,
  },
  {
    name: 'show',
    summary: 'show one run in full: the last one, or the one that is named',
    arguments: [{ name: '[id]', summary: 'an id from holdfast history, or its beginning (default: the last run)' }],
    options: reading,
    load: async () => (await import('./show.ts')).show,
  },
  {
    name: 'doctor',
    summary: 'show everything that would break a deploy; without --repair it only reads',
    options: [
      ...place,
      branch,
      ...health,
      mode,
      variant,
      {
        flags: '--repair',
        summary: 'undo what a killed deploy or git left, or finish a rollback that failed',
      },
    ],
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'notify',
    summary: 'send a test message through each notifier',
    options: [...reading, { flags: '--test', summary: 'required: notify sends nothing but a test' }],
    load: async () => (await import('./notify.ts')).notify,
  },
  {
    name: 'backup',
    summary: 'write a compressed archive of the checkout, named by the time',
    options: [
      ...place,
      branch,
      ...health,
      mode,
      variant,
      { flags: '--backup-dir <dir>', summary: 'write the archive into this folder' },
    ],
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'show what restoring an archive would do, or do it with --yes',
    arguments: [{ name: '<archive>', summary: 'an archive or a database dump that holdfast wrote' }],
    options: [
      ...reading,
      { flags: '--yes', summary: 'restore it' },
      {
        flags: '--trust <archive>',
        summary: 'the archive, where it belongs to another user or everybody may write it',
      },
    ],
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'lock',
    summary: 'freeze deploys until holdfast unlock',
    options: [...reading, { flags: '--reason <text>', summary: 'required: why deploys are frozen' }],
    load: async () => (await import('./lock.ts')).lock,
  },
  {
    name: 'unlock',
    summary: 'allow deploys again after holdfast lock',
    options: reading,
    load: async () => (await import('./unlock.ts')).unlock,
  },
];
