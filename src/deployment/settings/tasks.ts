import { uncachedConfiguration } from './laravel.ts';
import type { PresetName } from './presets.ts';
import type { Step } from './steps.ts';

/** What a preset does beside the caches, where one word of the settings switches it on. */
export const taskNames = ['composer', 'assets', 'migrations', 'queue', 'scheduler'] as const;
export type TaskName = (typeof taskNames)[number];
type Tasks = Readonly<Partial<Record<TaskName, Step>>>;

/** Seconds: both fetch packages from elsewhere. */
const fetching = 900;
const composer: Step = {
  name: 'composer',
  command: [
    'composer',
    'install',
    '--no-dev',
    '--no-interaction',
    '--no-progress',
    '--prefer-dist',
    '--optimize-autoloader',
  ],
  whenChanged: ['composer.json', 'composer.lock'],
  timeout: fetching,
  served: true,
};
const assets: Step = {
  name: 'assets',
  command: ['sh', '-c', 'npm ci --no-audit --no-fund && npm run build'],
  whenChanged: [
    'package.json',
    'package-lock.json',
    'vite.config.js',
    'vite.config.ts',
    'webpack.config.js',
    'webpack.mix.js',
    'tailwind.config.js',
    'postcss.config.js',
    'resources/',
    'assets/',
  ],
  timeout: fetching,
  served: true,
};
const artisan = (name: string, ...flags: readonly string[]) =>
  ['php', 'artisan', name, ...flags, '--no-interaction', '--no-ansi'] as const;
const console = (...words: readonly string[]) =>
  ['php', 'bin/console', ...words, '--env=prod', '--no-interaction', '--no-ansi'] as const;

const laravel: Tasks = {
  composer,
  assets,
  // Only in a deploy: nothing is migrated back.
  migrations: {
    name: 'migrations',
    command: [...artisan('migrate', '--force')],
    // The caches are still those of the commit before: its database may be another one.
    environment: uncachedConfiguration,
    whenChanged: ['database/migrations/'],
    on: 'deploy',
    probe: [...artisan('migrate:status')],
  },
  queue: { name: 'queue', command: [...artisan('queue:restart')] },
  // Laravel 9 and older do not know it.
  scheduler: { name: 'scheduler', command: [...artisan('schedule:interrupt')], onFailure: 'warn' },
};
const tasks: Readonly<Record<PresetName, Tasks>> = {
  laravel,
  'laravel-atomic': laravel,
  symfony: {
    composer,
    assets,
    migrations: {
      name: 'migrations',
      command: [...console('doctrine:migrations:migrate', '--allow-no-migration')],
      whenChanged: ['migrations/'],
      on: 'deploy',
      probe: [...console('doctrine:migrations:status')],
    },
    queue: { name: 'queue', command: [...console('messenger:stop-workers')] },
  },
  wordpress: {
    composer,
    assets,
    migrations: {
      name: 'migrations',
      command: ['wp', 'core', 'update-db'],
      whenChanged: ['wp-includes/version.php'],
      on: 'deploy',
      probe: ['wp', 'option', 'get', 'db_version'],
    },
  },
  drupal: {
    composer,
    assets,
    migrations: {
      name: 'migrations',
      command: ['php', 'vendor/bin/drush', 'updatedb', '--yes', '--no-interaction'],
      whenChanged: ['composer.lock', 'web/modules/', 'web/profiles/'],
      on: 'deploy',
      probe: ['php', 'vendor/bin/drush', 'updatedb:status', '--no-interaction'],
    },
  },
  php: { composer, assets },
  none: { composer, assets },
};

type Switched = Readonly<Record<TaskName, boolean>>;
export interface Steps {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
}

/**
 * The steps with those of the tasks that are on: packages and assets first, migrations last before the caches, workers
 * after them.
 */
export function withTasks({ before, after }: Steps, on: Switched, preset: PresetName) {
  const steps = (...names: readonly TaskName[]) =>
    names.flatMap((name) => (on[name] ? [tasks[preset][name]] : [])).filter((step) => step !== undefined);
  return {
    before: [...steps('composer', 'assets'), ...before, ...steps('migrations')],
    after: [...steps('queue', 'scheduler'), ...after],
  };
}

/** The steps of the tasks that are on, in settings that are not validated yet. */
export function tasksOn(given: Partial<Record<TaskName, unknown>>, preset: PresetName): readonly Step[] {
  return taskNames.filter((name) => given[name] === true).flatMap((name) => tasks[preset]?.[name] ?? []);
}

/** Tasks that are on and that the preset does not know, one sentence each. */
export function unknownTasks(given: Partial<Record<TaskName, unknown>>, preset: PresetName): readonly string[] {
  return taskNames
    .filter((name) => given[name] === true && tasks[preset]?.[name] === undefined)
    .map(
      (name) =>
        `deployment.${name} is on, and the preset ${JSON.stringify(preset)} knows no step for it: write one under steps.`,
    );
}
