import { type AsidePreset, composer, migrations, type Preset, type ReleasePreset } from './preset.ts';
import type { Step, Together } from './steps.ts';

const artisan = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  command: ['php', 'artisan', name, '--no-interaction', '--no-ansi'],
  ...more,
});
const laravelApplied = [composer, migrations('database/migrations/', 'migrate', 'artisan migrate')];

const cachedConfiguration = 'bootstrap/cache/config.php';
const cachedRoutes = 'bootstrap/cache/routes-v7.php';
const compiledViews = 'storage/framework/views';
const laravelManifests = ['config', 'packages', 'services', 'events', 'routes-v7'].map(
  (name) => `bootstrap/cache/${name}.php`,
);

const laravelAside: AsidePreset = {
  own: [
    'bootstrap/cache',
    'storage/framework/cache/data',
    'storage/framework/sessions',
    'storage/framework/views',
    'storage/logs',
  ],
  linked: ['storage/app'],
  shallow: ['public'],
};

/** Caches are built beside the files in use: the variables APP_…_CACHE are Laravel's own way to name another path. */
const aside = { configuration: 'bootstrap/cache/holdfast-config.php', routes: 'bootstrap/cache/holdfast-routes.php' };
const asideEnvironment = { APP_CONFIG_CACHE: aside.configuration, APP_ROUTES_CACHE: aside.routes };
/** Laravel reads the files in `config` where the one with all of them together is not there: this one never is. */
export const uncachedConfiguration = { APP_CONFIG_CACHE: 'bootstrap/cache/holdfast-none.php' };
const viewsAside = 'storage/framework/holdfast-views';
const publications = [
  { from: aside.configuration, to: cachedConfiguration },
  { from: aside.routes, to: cachedRoutes },
];
const together: Together = { environment: asideEnvironment, views: viewsAside };
const publishing = (whole: { readonly whole?: true }): Together => ({
  ...together,
  publish: [...publications, { from: viewsAside, to: compiledViews, ...whole }],
});

/**
 * Each release has a folder of its own for compiled views: in the shared `storage` a new release would remove those of
 * the live one. Of the seven commands only `cache:clear` finds something to clear in a new release.
 */
const laravelReleases: ReleasePreset = {
  shared: ['.env', 'storage', 'public/storage'],
  folders: { VIEW_COMPILED_PATH: { path: 'bootstrap/cache/views', like: compiledViews } },
  caches: {
    clear: ['config:clear', 'cache:clear', 'route:clear', 'view:clear'].map((name) => artisan(name)),
    rebuild: ['config:cache', 'route:cache', 'view:cache'].map((name) => artisan(name)),
  },
};
export const laravel = {
  isPhp: true,
  manifests: laravelManifests,
  environmentFile: '.env',
  applied: laravelApplied,
  webRoots: ['public', 'storage/app/public'],
  logs: ['storage/logs/laravel.log'],
  aside: laravelAside,
  releases: laravelReleases,
  caches: {
    clear: [
      artisan('config:clear', { leaves: { absent: cachedConfiguration }, together }),
      artisan('cache:clear', { together }),
      artisan('route:clear', { leaves: { absent: cachedRoutes }, together }),
      artisan('view:clear', { leaves: { absent: `${compiledViews}/*.php` }, together }),
    ],
    rebuild: [
      artisan('config:cache', { together }),
      artisan('route:cache', { together }),
      artisan('view:cache', { together: publishing({ whole: true }) }),
    ],
  },
} as const satisfies Preset;

/**
 * The same caches, each renamed into place also where the commands run one by one: no request meets a missing or
 * partial file.
 */
export const laravelAtomic = {
  isPhp: true,
  manifests: laravelManifests,
  environmentFile: '.env',
  applied: laravelApplied,
  webRoots: ['public', 'storage/app/public'],
  logs: ['storage/logs/laravel.log'],
  aside: laravelAside,
  releases: laravelReleases,
  caches: {
    clear: [artisan('cache:clear', { together })],
    rebuild: [
      artisan('config:cache', { environment: asideEnvironment, leaves: { present: aside.configuration }, together }),
      artisan('route:cache', { environment: asideEnvironment, leaves: { present: aside.routes }, together }),
      artisan('view:cache', {
        // Only a configuration that is not cached asks for VIEW_COMPILED_PATH.
        environment: { ...uncachedConfiguration, VIEW_COMPILED_PATH: viewsAside },
        publish: [...publications, { from: viewsAside, to: compiledViews }],
        together: publishing({}),
      }),
    ],
  },
} as const satisfies Preset;
