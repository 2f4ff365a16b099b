import type { Command } from '../../host/host.ts';
import { autoloaderOf, hasPlainArtisan } from '../caches/artisan-once.ts';
import { buildInto } from '../caches/build-aside.ts';
import { commitOf } from '../git/commits.ts';
import { servedCheckout } from '../releases/live-release.ts';
import { asReason } from '../run/application-error.ts';
import { environmentTrouble } from '../run/environment-file.ts';
import { applicationIn } from '../settings/subfolder.ts';
import { bad, type Check, type Examined, good, run, warned } from './check.ts';

/** Whether `php artisan` can run in what visitors get, where one of these commands is an artisan's. */
export async function artisan(given: Examined, commands: readonly Command[]): Promise<readonly Check[]> {
  const php = commands.find(([, script]) => script === 'artisan')?.[0];
  if (php === undefined) return [];
  const { subfolder: _, ...settings } = given.settings;
  const served = await servedCheckout(given);
  const directory = applicationIn(served.directory, given.settings);
  // The application as if it had a checkout of its own.
  const examined = { ...given, settings, checkout: { ...served, directory } };
  if ((await examined.host.files.stat(`${directory}/artisan`)) === undefined) return withoutArtisan(examined, php);
  // These have a line of their own, and nothing starts with them.
  if ((await environmentTrouble(given)) !== undefined) return [];
  return (await hasPlainArtisan(examined.host.files, directory)) ? started(examined, php) : [];
}

/**
 * PHP itself is asked: a `php` that works in a container may find one there. Where there is no commit yet, one may
 * bring it.
 */
async function withoutArtisan(examined: Examined, php: string): Promise<readonly Check[]> {
  const { directory } = examined.checkout;
  const isEmpty = (await run(examined, commitOf('HEAD'), 30)).exitCode !== 0;
  const { exitCode } = isEmpty ? { exitCode: 0 } : await run(examined, [php, 'artisan', '--version'], startSeconds);
  const place = `artisan is not in ${directory}, but a step runs it`;
  return exitCode === 0 || exitCode === notFound
    ? [warned('script', `${place}: ${remedy}`)]
    : [bad('artisan', `${place}, and php artisan cannot run: ${remedy}.`)];
}

const remedy = 'a site that is not Laravel needs preset: none (--preset none)';

/** Of a shell, for a program that is not there: it has a line of its own. */
const notFound = 127;
/** Far longer than an application takes to start; a screen waits no longer. */
const startSeconds = 30;

/**
 * Starts the application and builds its caches as a deploy does, with all that Laravel keeps of it in a folder that is
 * removed.
 */
async function started(examined: Examined, php: string): Promise<readonly Check[]> {
  const { host, settings, checkout } = examined;
  const folder = `/tmp/holdfast-doctor-${Math.floor(host.random('doctor')() * 2 ** 48).toString(36)}`;
  await host.files.makeFolder(folder, { mode: 0o700 });
  try {
    const options = { cwd: checkout.directory, env: settings.environment, timeoutSeconds: startSeconds };
    const ended = await buildInto(host, php, settings.caches.rebuild, folder, options);
    if (ended === undefined) return [];
    const { cannotStart, failed } = ended;
    if (cannotStart !== undefined) return [bad('artisan', await sentenceOf(examined, cannotStart))];
    if (failed === undefined) return [good('artisan', 'the application starts, and its caches can be built')];
    const because = await asReason(examined, failed.because);
    return [bad('caches', `The caches cannot be built: step ${failed.step} fails: ${because}.`)];
  } finally {
    await host.files.remove(folder);
  }
}

async function sentenceOf(examined: Examined, because: string): Promise<string> {
  const { host, checkout } = examined;
  const { directory } = checkout;
  const autoloader = (await autoloaderOf(host.files, directory)) ?? 'artisan';
  const isInstalled = (await host.files.stat(`${directory}/${autoloader}`)) !== undefined;
  const way = isInstalled
    ? `cd ${directory} && php artisan --version shows the same; a commit that starts mends it`
    : `${autoloader} is not there: cd ${directory} && composer install --no-dev`;
  return `php artisan cannot run: ${await asReason(examined, because)}. ${way}.`;
}
