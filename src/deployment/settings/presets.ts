import type { CacheSteps, Step, Together } from './steps.ts';

/** What a framework needs of a deploy. */
export interface Preset {
  readonly caches: CacheSteps;
  /** Whether the application is PHP, whose opcache may answer with old code. */
  readonly php: boolean;
  /** Generated files that keep the framework from starting when they name classes that are gone; it makes them again (docs/facts/laravel.md, "Manifests that stop artisan"). */
  readonly manifests: readonly string[];
  /** What the framework reads its configuration from, by the rules of PHP's dotenv; it is in no commit. */
  readonly environmentFile?: string;
  /** What a commit may change that is only applied by a step of the settings. */
  readonly applied: readonly Applied[];
  /** Folders that web servers show to everybody. */
  readonly webRoots: readonly string[];
  /** The framework's own logs. */
  readonly logs: readonly string[];
  /** How the application is started aside; absent where we do not know how to start it. */
  readonly aside?: AsidePreset;
  /** The same for the mode `releases`, where no visitor is served from the folder that is being made. */
  readonly releases: ReleasePreset;
}
export interface Applied {
  /** A file, or a folder with a `/` at its end. */
  readonly path: string;
  /** What the command of a step that applies it contains. */
  readonly word: string;
  /** That command for people, and what happens without it. */
  readonly by: string;
  readonly otherwise: string;
  /** A commit that holds this file needs no such step. */
  readonly result?: string;
}
export interface ReleasePreset {
  readonly caches: CacheSteps;
  /** Files and folders at the checkout's top that every release links to. */
  readonly shared: readonly string[];
  /** Folders that each release has for itself although they would lie in a shared one, by the variable that names them to the framework. */
  readonly folders: Readonly<Record<string, OwnFolder>>;
}
/** What a copy of the application has beside the files of its commit. Paths from the checkout's top. */
export interface AsidePreset {
  /** Folders of its own: what it writes there is thrown away. */
  readonly own: readonly string[];
  /** Folders that it only reads: links to the checkout's. */
  readonly linked: readonly string[];
  /** Folders of which only the first level may have files that git does not track and that it needs. */
  readonly shallow: readonly string[];
}
/** `path` is from a release's top; `like` is a folder of the checkout whose permissions it gets. */
export interface OwnFolder {
  readonly path: string;
  readonly like: string;
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

const composer: Applied = {
  path: 'composer.lock',
  word: 'composer',
  by: 'composer install',
  otherwise: 'vendor/ stays as it is',
  result: 'vendor/autoload.php',
};
const migrations = (path: string, word: string, by: string): Applied => ({
  path,
  word,
  by,
  otherwise: 'the database stays as it is',
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
 * Each release has a folder of its own for compiled views: in the shared `storage` a new release would remove those of the
 * live one. Of the seven commands only `cache:clear` finds something to clear in a new release.
 */
const laravelReleases: ReleasePreset = {
  shared: ['.env', 'storage', 'public/storage'],
  folders: { VIEW_COMPILED_PATH: { path: 'bootstrap/cache/views', like: compiledViews } },
  caches: {
    clear: ['config:clear', 'cache:clear', 'route:clear', 'view:clear'].map((name) => artisan(name)),
    rebuild: ['config:cache', 'route:cache', 'view:cache'].map((name) => artisan(name)),
  },
};
const symfonyCaches: CacheSteps = {
  clear: [console('cache:clear', '--no-warmup')],
  rebuild: [console('cache:warmup')],
};
const noCaches: CacheSteps = { clear: [], rebuild: [] };

/** Step 7 of 4.3 as data: what is cleared and then rebuilt for each framework. */
export const presets = {
  laravel: {
    php: true,
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
  },
  /** The same caches, each renamed into place also where the commands run one by one: no request meets a missing or partial file. */
  'laravel-atomic': {
    php: true,
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
  },
  symfony: {
    php: true,
    manifests: [],
    applied: [composer, migrations('migrations/', 'migrate', 'doctrine:migrations:migrate')],
    webRoots: ['public'],
    logs: ['var/log/prod.log'],
    caches: symfonyCaches,
    releases: { caches: symfonyCaches, shared: ['.env.local', 'var/log'], folders: {} },
  },
  none: {
    php: false,
    manifests: [],
    applied: [],
    // As static sites and other frameworks usually name it.
    webRoots: ['public', 'public_html', 'htdocs', 'html', 'web', 'www', 'dist', '_site'],
    logs: [],
    caches: noCaches,
    releases: { caches: noCaches, shared: [], folders: {} },
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;
