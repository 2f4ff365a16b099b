import { laravel, laravelAtomic } from './laravel.ts';
import { type Applied, composer, migrations, type Preset } from './preset.ts';
import type { CacheSteps, Step } from './steps.ts';

const console = (...words: readonly [string, ...string[]]): Step => ({
  name: words[0],
  command: ['php', 'bin/console', ...words, '--env=prod', '--no-debug', '--no-interaction', '--no-ansi'],
});

const symfonyCaches: CacheSteps = {
  clear: [console('cache:clear', '--no-warmup')],
  rebuild: [console('cache:warmup')],
};
/** drush is a package of the site's own. */
const drush = (...words: readonly [string, ...string[]]): Step => ({
  name: words[0],
  command: ['php', 'vendor/bin/drush', ...words, '--yes', '--no-interaction'],
});
const drupalCaches: CacheSteps = { clear: [], rebuild: [drush('cache:rebuild')] };
const noCaches: CacheSteps = { clear: [], rebuild: [] };

/** As static sites and frameworks usually name it. */
const usualRoots = ['public', 'public_html', 'htdocs', 'html', 'web', 'www', 'dist', '_site'];
const wordpressDatabase: Applied = migrations('wp-includes/version.php', 'update-db', 'wp core update-db');

/** Step 7 of 4.3 as data: what is cleared and then rebuilt for each framework. */
export const presets = {
  laravel,
  /**
   * The same caches, each renamed into place also where the commands run one by one: no request meets a missing or
   * partial file.
   */
  'laravel-atomic': laravelAtomic,
  symfony: {
    isPhp: true,
    manifests: [],
    applied: [composer, migrations('migrations/', 'migrate', 'doctrine:migrations:migrate')],
    webRoots: ['public'],
    logs: ['var/log/prod.log'],
    caches: symfonyCaches,
    releases: { caches: symfonyCaches, shared: ['.env.local', 'var/log'], folders: {} },
  },
  /** The whole checkout is what the web server shows. */
  wordpress: {
    isPhp: true,
    manifests: [],
    applied: [composer, wordpressDatabase],
    webRoots: ['.'],
    logs: ['wp-content/debug.log'],
    caches: noCaches,
    releases: { caches: noCaches, shared: ['wp-config.php', 'wp-content/uploads'], folders: {} },
  },
  /** As drupal/recommended-project lays it out. */
  drupal: {
    isPhp: true,
    manifests: [],
    applied: [composer, migrations('config/sync/', 'config:import', 'drush config:import')],
    webRoots: ['web'],
    logs: [],
    caches: drupalCaches,
    releases: {
      caches: drupalCaches,
      shared: ['web/sites/default/settings.php', 'web/sites/default/files'],
      folders: {},
    },
  },
  php: {
    isPhp: true,
    manifests: [],
    applied: [composer],
    webRoots: usualRoots,
    logs: [],
    caches: noCaches,
    releases: { caches: noCaches, shared: [], folders: {} },
  },
  none: {
    isPhp: false,
    manifests: [],
    applied: [],
    webRoots: usualRoots,
    logs: [],
    caches: noCaches,
    releases: { caches: noCaches, shared: [], folders: {} },
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;
