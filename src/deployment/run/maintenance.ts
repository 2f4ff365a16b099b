import { asset } from '../../host/asset.ts';
import { OperationError } from '../../host/errors.ts';
import { maintenanceShape } from '../record/fact-shape.ts';
import { applicationIn } from '../settings/subfolder.ts';
import { type Run, runStep, type Workspace } from './run.ts';

type Place = Pick<Workspace, 'host' | 'checkout'>;

/**
 * Sends visitors away with 503 and Retry-After until `liftMaintenance`, where the settings ask for it. What is made is
 * on record before it is made, so that a later run lifts what a killed one left. A mode that a person has set is left
 * as it is. `mayAsk`: whether the present code can be asked for its own page. Never a reason for a run to fail.
 */
export async function beginMaintenance(run: Workspace, mayAsk: boolean): Promise<void> {
  const { maintenance } = run.settings;
  if (maintenance === undefined || (await recordedFiles(run)) !== undefined) return;
  try {
    const files = await filesFor(run, maintenance.file);
    if ((await run.host.files.stat(files[0])) !== undefined) {
      await run.log.line('INFO', `The site is in maintenance mode already (${files[0]}): it stays in it`);
      return;
    }
    await run.host.files.replace(recordPath(run), JSON.stringify({ files }), { mode: 0o600 });
    await (maintenance.file === undefined
      ? closeLaravel(run, files, mayAsk)
      : writeReadable(run, files[0], 'Made by holdfast while it deploys\n'));
    await run.log.line('INFO', `Maintenance mode: visitors get 503 (${files[0]})`);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    await run.log.line('ERROR', `No maintenance mode: ${error.message}`);
  }
}

/** Lets visitors in again: removes exactly what a run has made. Where nothing was made it does nothing. */
export async function liftMaintenance(run: Place & Pick<Run, 'log'>): Promise<void> {
  const files = await recordedFiles(run);
  if (files === undefined) return;
  try {
    for (const file of files) await run.host.files.remove(file);
    await run.host.files.remove(recordPath(run));
    await run.log.line('INFO', 'Maintenance mode ended');
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    await run.log.line('ERROR', `Visitors still get 503: ${error.message}. Remove ${files.join(' and ')}`);
  }
}

type Files = readonly [string, ...string[]];

/** The first one is what switches the mode on. */
async function filesFor({ host, checkout, settings }: Workspace, file: string | undefined): Promise<Files> {
  if (file?.startsWith('/')) return [file];
  // Not of a release: visitors leave it for the next one, while the page is up.
  if (file !== undefined) return [`${(await host.files.realPath(settings.appDir)) ?? checkout.directory}/${file}`];
  const folder = `${applicationIn(checkout.directory, settings)}/storage/framework`;
  // In the mode `releases` it is a link to the shared one, and a release may be gone when the mode is lifted.
  const real = (await host.files.realPath(folder)) ?? folder;
  return [`${real}/down`, `${real}/maintenance.php`];
}

/**
 * By artisan, which shows the application's own page; by Laravel's two files alone where the present code cannot do
 * that.
 */
async function closeLaravel(run: Workspace, [down, page]: Files, mayAsk: boolean): Promise<void> {
  const { host, settings } = run;
  const retry = settings.maintenance?.retryAfter ?? 0;
  const command = artisanDown(settings.php, retry);
  const cwd = applicationIn(run.checkout.directory, settings);
  const options = { cwd, env: settings.environment, timeoutSeconds: askSeconds, umask: 0o022 };
  if (mayAsk) await runStep(run, 'maintenance', command, options);
  if ((await host.files.stat(down)) !== undefined) return;
  if (page !== undefined) await writeReadable(run, page, asset(new URL('./maintenance-page.php', import.meta.url)));
  await writeReadable(run, down, JSON.stringify({ ...payload, retry: Math.ceil(retry) }));
}

/** For the web server and php-fpm, which may be other users, whatever our umask is. */
async function writeReadable({ host: { files } }: Workspace, path: string, text: string): Promise<void> {
  await files.replace(path, text, { mode: readable });
  await files.setMode(path, readable);
}

const readable = 0o644;

/** More than artisan needs to start; a deploy does not wait longer for a page. */
const askSeconds = 15;

/**
 * With `--render` the page is made now: visitors get it from `public/index.php` before any code of the application is
 * loaded.
 */
export function artisanDown(php: string, retrySeconds: number) {
  const flags = [
    '--no-interaction',
    '--no-ansi',
    '--render=errors::503',
    `--retry=${Math.ceil(retrySeconds)}`,
  ] as const;
  return [php, 'artisan', 'down', ...flags] as const;
}

/** What `artisan down` writes (Laravel, `Foundation/Console/DownCommand.php`). */
const payload = {
  except: [],
  redirect: null,
  refresh: null,
  secret: null,
  status: 503,
  template: '<!DOCTYPE html><title>Service Unavailable</title><h1>503 Service Unavailable</h1>',
};

async function recordedFiles(place: Place): Promise<readonly string[] | undefined> {
  const text = await place.host.files.read(recordPath(place)).catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return maintenanceShape.parse(JSON.parse(text)).files;
  } catch {
    // Nothing is known to be ours.
    return [];
  }
}

function recordPath({ checkout }: Pick<Workspace, 'checkout'>): string {
  return `${checkout.stateFolder}/maintenance.json`;
}
