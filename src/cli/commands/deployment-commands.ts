import type { CommandEntry, CommandOption } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';

/** Which checkout: what every command of Area B has to know. */
const place: readonly CommandOption[] = [
  { flags: '--app-dir <dir>', summary: 'the checkout (APP_DIR)' },
  { flags: '--log-file <file>', summary: 'the append-only log (LOG_FILE)' },
];
const mode: CommandOption = {
  flags: '--mode <name>',
  summary: 'in-place (default), or releases: each commit in a folder of its own',
};
const branch: CommandOption = { flags: '--branch <name>', summary: 'the remote branch (BRANCH)' };
const health: readonly CommandOption[] = [
  { flags: '--health-url <url>', summary: 'answers 200 only when the site works (HEALTH_URL)' },
  { flags: '--health-attempts <n>', summary: 'requests before it counts as failed (default 1)' },
  { flags: '--health-deadline <duration>', summary: 'try again until then' },
  { flags: '--health-consecutive <n>', summary: 'good answers in a row that are wanted (default 1)' },
  { flags: '--health-timeout <duration>', summary: 'of one request (default 10s)' },
  { flags: '--baseline <policy>', summary: 'a site that is down before: warn (default), refuse or skip' },
  { flags: '--fastcgi <address>', summary: "php-fpm's socket, to make it forget the old code" },
  { flags: '--probe-rate <n>', summary: 'visitors while it goes on, requests a second' },
  { flags: '--preset <name>', summary: 'which caches: laravel (default), laravel-atomic, symfony or none' },
];

/** Area B's commands (contract section 1). */
export const deploymentCommands: readonly CommandEntry[] = [
  {
    name: 'deploy',
    summary: 'brings the checkout to the remote branch, checks health, rolls back by itself',
    options: [
      ...place,
      branch,
      ...health,
      mode,
      { flags: '--variant <name>', summary: 'basic, full or notify' },
      { flags: '--clean', summary: 'ownership, hard reset and untracked files first' },
      { flags: '--backup-dir <dir>', summary: 'an archive there before the switch' },
      { flags: '--clone <url>', summary: 'make the checkout first, where there is none' },
      { flags: '--if-changed', summary: 'nothing new on the branch: leave the site alone' },
      { flags: '--again', summary: 'also a commit that was found bad before' },
      { flags: '--dry-run', summary: 'print the commands and run none' },
    ],
    unwritten: exitCodes.done,
    load: async () => (await import('./deploy.ts')).deploy,
  },
  {
    name: 'rollback',
    summary: 'to the last verified commit, or the one named, through the same checks',
    arguments: [{ name: '[commit]', summary: 'default: the last that passed health' }],
    options: [...place, branch, ...health, mode],
    unwritten: exitCodes.done,
    load: async () => (await import('./rollback.ts')).rollback,
  },
  {
    name: 'status',
    summary: 'what runs',
    options: [...place, mode],
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'history',
    summary: 'what ran',
    options: place,
    load: async () => (await import('./history.ts')).history,
  },
  {
    name: 'show',
    summary: 'one deploy in full',
    arguments: [{ name: '<id>', summary: 'as history shows it' }],
    options: place,
    load: async () => (await import('./show.ts')).show,
  },
  {
    name: 'doctor',
    summary: 'everything that would break a deploy, on one screen, touching nothing',
    options: [
      ...place,
      branch,
      ...health,
      mode,
      { flags: '--repair', summary: 'undo what a killed run left, finish what a deploy could not roll back' },
    ],
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'notify',
    summary: 'one message through each notifier',
    options: [...place, { flags: '--test', summary: 'say that it is one' }],
    load: async () => (await import('./notify.ts')).notify,
  },
  {
    name: 'backup',
    summary: 'a timestamped compressed archive of the checkout',
    options: [...place, branch, ...health, mode, { flags: '--backup-dir <dir>', summary: 'where to' }],
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'what is in an archive, or with --yes brings it back',
    arguments: [{ name: '<archive>', summary: 'as backup made it' }],
    options: [...place, { flags: '--yes', summary: 'really' }],
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'lock',
    summary: 'freezes deploys',
    options: [...place, { flags: '--reason <text>', summary: 'why' }],
    load: async () => (await import('./lock.ts')).lock,
  },
  {
    name: 'unlock',
    summary: 'unfreezes deploys',
    options: place,
    load: async () => (await import('./unlock.ts')).unlock,
  },
];
