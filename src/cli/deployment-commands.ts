import type { CommandEntry, CommandOption } from './command.ts';

const checkout: readonly CommandOption[] = [{ flags: '--app-dir <dir>', summary: 'the checkout (APP_DIR)' }];
const run: readonly CommandOption[] = [
  ...checkout,
  { flags: '--branch <name>', summary: 'the remote branch (BRANCH)' },
  { flags: '--log-file <file>', summary: 'the deployment log (LOG_FILE)' },
  { flags: '--health-url <url>', summary: 'answers 200 only when the application works (HEALTH_URL)' },
  { flags: '--health-attempts <n>', summary: 'requests before it counts as failed (default 1)' },
  { flags: '--health-deadline <duration>', summary: 'ask again until then' },
  { flags: '--health-consecutive <n>', summary: 'good answers in a row (default 1)' },
  { flags: '--health-timeout <duration>', summary: 'of one request (default 10s)' },
  { flags: '--variant <variant>', summary: 'basic, full (default), or notify (where a notifier is set)' },
  { flags: '--preset <preset>', summary: 'the cache steps: laravel (default) or none' },
];

/** Area B's commands (contract section 1). */
export const deploymentCommands: readonly CommandEntry[] = [
  {
    name: 'deploy',
    summary: 'brings the checkout to the remote branch, checks health, rolls back',
    options: [
      ...run,
      { flags: '--if-changed', summary: 'do nothing where the branch has not moved' },
      { flags: '--again', summary: 'a quarantined commit once more' },
      { flags: '--dry-run', summary: 'print the exact commands and run none' },
    ],
    load: async () => (await import('./commands/deploy.ts')).deploy,
  },
  {
    name: 'rollback',
    summary: 'back to the last verified commit, or to the one named',
    arguments: [{ name: '[commit]', summary: 'where to' }],
    options: run,
    load: async () => (await import('./commands/rollback.ts')).rollback,
  },
  {
    name: 'status',
    summary: 'what runs',
    options: checkout,
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'history',
    summary: 'what ran',
    options: checkout,
    load: async () => (await import('./commands/history.ts')).history,
  },
  {
    name: 'show',
    summary: 'one deploy in full',
    arguments: [{ name: '<id>', summary: 'its id, or the beginning of it' }],
    options: checkout,
    load: async () => (await import('./commands/show.ts')).show,
  },
  {
    name: 'doctor',
    summary: 'everything that would break a deploy, touching nothing',
    options: run,
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'lock',
    summary: 'freezes deploys',
    options: [...checkout, { flags: '--reason <text>', summary: 'why' }],
    load: async () => (await import('./commands/lock.ts')).lock,
  },
  {
    name: 'unlock',
    summary: 'thaws them',
    options: checkout,
    load: async () => (await import('./commands/unlock.ts')).unlock,
  },
];
