import type { CacheSteps, Step } from './steps.ts';

/** What a framework needs of a deploy. */
export interface Preset {
  readonly caches: CacheSteps;
  /** Whether opcache may answer with old code. */
  readonly php: boolean;
  /** What keeps the framework from starting when it names classes that are gone; made again when it starts. */
  readonly manifests: readonly string[];
  /** The framework's own logs. */
  readonly logs: readonly string[];
}

const artisan = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  command: ['php', 'artisan', name, '--no-interaction', '--no-ansi'],
  ...more,
});
const console = (...words: readonly [string, ...string[]]): Step => ({
  name: words[0],
  command: ['php', 'bin/console', ...words, '--env=prod', '--no-debug', '--no-interaction', '--no-ansi'],
});

const cachedConfiguration = 'bootstrap/cache/config.php';
const cachedRoutes = 'bootstrap/cache/routes-v7.php';
const compiledViews = 'storage/framework/views';
const laravelManifests = ['config', 'packages', 'services', 'events', 'routes-v7'].map(
  (name) => `bootstrap/cache/${name}.php`,
);

/** Built beside the files that are in use. A path that is given by APP_…_CACHE is Laravel's own way to put one elsewhere. */
const aside = { configuration: 'bootstrap/cache/holdfast-config.php', routes: 'bootstrap/cache/holdfast-routes.php' };
const asideEnvironment = { APP_CONFIG_CACHE: aside.configuration, APP_ROUTES_CACHE: aside.routes };
const viewsAside = 'storage/framework/holdfast-views';

/** Step 7 of 4.3 as data: what each framework clears, and what it then rebuilds. */
export const presets = {
  laravel: {
    php: true,
    manifests: laravelManifests,
    logs: ['storage/logs/laravel.log'],
    caches: {
      clear: [
        artisan('config:clear', { leaves: { absent: cachedConfiguration } }),
        artisan('cache:clear'),
        artisan('route:clear', { leaves: { absent: cachedRoutes } }),
        artisan('view:clear', { leaves: { absent: `${compiledViews}/*.php` } }),
      ],
      rebuild: [artisan('config:cache'), artisan('route:cache'), artisan('view:cache')],
    },
  },
  /** The same caches, each published by a rename: no request ever meets a missing or half-written one. */
  'laravel-atomic': {
    php: true,
    manifests: laravelManifests,
    logs: ['storage/logs/laravel.log'],
    caches: {
      clear: [artisan('cache:clear')],
      rebuild: [
        artisan('config:cache', { environment: asideEnvironment, leaves: { present: aside.configuration } }),
        artisan('route:cache', { environment: asideEnvironment, leaves: { present: aside.routes } }),
        artisan('view:cache', {
          // Only a configuration that is not cached asks for VIEW_COMPILED_PATH.
          environment: { APP_CONFIG_CACHE: 'bootstrap/cache/holdfast-none.php', VIEW_COMPILED_PATH: viewsAside },
          publish: [
            { from: aside.configuration, to: cachedConfiguration },
            { from: aside.routes, to: cachedRoutes },
            { from: viewsAside, to: compiledViews },
          ],
        }),
      ],
    },
  },
  symfony: {
    php: true,
    manifests: [],
    logs: ['var/log/prod.log'],
    caches: { clear: [console('cache:clear', '--no-warmup')], rebuild: [console('cache:warmup')] },
  },
  none: { php: false, manifests: [], logs: [], caches: { clear: [], rebuild: [] } },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;
