import { laravel, laravelAtomic } from './laravel.ts';
import { type Applied, composer, migrations, type Preset } from './preset.ts';
import type { CacheSteps, Step } from './steps.ts';

const console = (...words: readonly [string, ...string[]]): Step => ({
  name: words[0],
  command: ['php', 'bin/console', ...words, '--env=prod', '--no-debug', '--no-interaction', '--no-ansi'],
});

/**
 * `cache:clear` takes a container whose file is of the second in which it starts for one that it has built itself
 * ("Cache is fresh" in Symfony's CacheClearCommand). A way back within that second would keep the container of the bad
 * commit.
 */
const age = `cd "\${APP_CACHE_DIR:-var/cache}" 2>/dev/null || exit 0
find . -name '*Container.php' -exec touch -d '1 minute ago' {} + 2>/dev/null || exit 0`;

/**
 * The command builds the container in a folder of its own and renames it into place. `cache:warmup` alone would keep
 * the one of the commit before.
 */
const symfonyCaches: CacheSteps = {
  clear: [],
  rebuild: [{ name: 'date the container back', command: ['sh', '-c', age] }, console('cache:clear')],
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
