import { OperationError } from '../../host/errors.ts';
import type { Command, Host } from '../../host/host.ts';
import { codeOf } from '../../host/system-error.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { git } from '../git/git.ts';
import { linkName } from '../settings/contradictions.ts';
import { dotenvMistake } from '../settings/dotenv.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { applicationIn } from '../settings/subfolder.ts';

export interface Application {
  readonly host: Pick<Host, 'files' | 'run'>;
  readonly settings: Pick<DeploymentSettings, 'environmentFile' | 'environment' | 'mode' | 'subfolder'>;
  /** The folder whose environment file counts: in the mode `releases` the checkout itself, which shares it. */
  readonly checkout: Pick<Checkout, 'directory' | 'gitEnvironment'>;
}

/**
 * Why no commit of this application could start, as a sentence: its environment file is missing, or PHP's dotenv cannot
 * read it. Undefined where it can, where the commit itself brings the file, and where there is no application yet,
 * neither here nor in the commit that is to come.
 */
export async function environmentTrouble(application: Application, toCome?: string): Promise<string | undefined> {
  const { host, settings, checkout } = application;
  if (settings.environmentFile === undefined || !(await isApplication(application, toCome))) return undefined;
  const path = await environmentPath(application, settings.environmentFile);
  const hasKey = (settings.environment.APP_KEY ?? '') !== '';
  const trouble =
    (await troubleWith(host, `${checkout.directory}/${path}`, 'APP_KEY' in settings.environment)) ??
    (hasKey ? undefined : await keyTrouble(host, checkout.directory, path));
  if (trouble === undefined || (await isTracked(application, path))) return undefined;
  return toCome !== undefined && (await isIn(application, toCome, path)) ? undefined : trouble;
}

/**
 * Whether artisan is in the checkout, in the live release or in that commit. A checkout made by `--clone` has no files
 * yet, and in the mode `releases` it never has.
 */
async function isApplication(application: Application, commit: string | undefined): Promise<boolean> {
  const { host, settings, checkout } = application;
  if (await isThere(host, `${applicationIn(checkout.directory, settings)}/artisan`)) return true;
  const live = `${applicationIn(`${checkout.directory}/${linkName}`, settings)}/artisan`;
  if (settings.mode === 'releases' && (await isThere(host, live))) return true;
  return (
    commit !== undefined &&
    isIn(application, commit, settings.subfolder === undefined ? 'artisan' : `${settings.subfolder}/artisan`)
  );
}

/** Laravel reads `.env.production` instead, where APP_ENV says so and that file is there. */
async function environmentPath({ host, settings, checkout }: Application, usual: string): Promise<string> {
  const { APP_ENV = '' } = settings.environment;
  const special = `${usual}.${APP_ENV}`;
  return APP_ENV !== '' && (await isThere(host, `${checkout.directory}/${special}`)) ? special : usual;
}

async function troubleWith(host: Pick<Host, 'files'>, path: string, hasKey: boolean): Promise<string | undefined> {
  try {
    const text = await host.files.read(path);
    if (text !== undefined) return mistakeIn(text, path);
    return hasKey
      ? undefined
      : `The environment file ${path} is missing, and APP_KEY is not in the environment either: put the file there, or set deployment.environment.`;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const isShut = codeOf(error.cause) === 'EACCES';
    const remedy = `Give it to the user of the deploy: chown $(whoami) ${path} && chmod u+r ${path}`;
    const sentence = `The environment file ${path} cannot be read: ${error.failure.reason}`;
    return `${sentence}. ${isShut ? remedy : 'Put a file in its place'}.`;
  }
}

/**
 * An APP_KEY that is missing or cannot be used, where the cached configuration has one: the site works with that, and
 * rebuilding it would take the key away from every commit. A site without a key in its cached configuration needs none.
 */
async function keyTrouble(
  { files }: Pick<Host, 'files'>,
  directory: string,
  path: string,
): Promise<string | undefined> {
  const read = (name: string) => files.read(`${directory}/${name}`).catch(() => undefined);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const wrong = wrongKey((await read(path)) ?? '', (await read(`${folder}bootstrap/cache/config.php`)) ?? '');
  return wrong === undefined
    ? undefined
    : `APP_KEY ${wrong} in the environment file ${directory}/${path}, and the cached configuration that the site works with has one: put the key back, or visitors get errors as soon as the caches are built again.`;
}

/** What is wrong with the key of an environment file beside this cached configuration; undefined for one that works. */
export function wrongKey(environmentFile: string, cached: string): string | undefined {
  const from = cached.indexOf("\n  'app' =>");
  const application = cached.slice(from, cached.indexOf('\n  ),', from));
  if (from < 0 || !/\n {4}'key' => '[^']+'/.test(application)) return undefined;
  const line = /^[ \t]*(?:export[ \t]+)?APP_KEY[ \t]*=[ \t]*(.*)$/m.exec(environmentFile);
  if (line === null) return 'is missing';
  const [, , text = ''] = /^(["']?)([^"'\s#]*)\1/.exec(line[1] ?? '') ?? [];
  if (text === '') return 'is empty';
  // Of another variable.
  if (text.includes('$')) return undefined;
  const bytes = Buffer.from(text.replace(/^base64:/, ''), text.startsWith('base64:') ? 'base64' : 'utf8').length;
  const cipher = /\n {4}'cipher' => '(AES-(?:128|256)-\w+)'/i.exec(application)?.[1];
  const needed = cipher === undefined ? bytes : keyBytes(cipher);
  return bytes === needed ? undefined : `has ${bytes} bytes where ${cipher} takes ${needed},`;
}

/** As Laravel demands it (`Illuminate\\Encryption\\Encrypter`, supported). */
const keyBytes = (cipher: string): number => (cipher.includes('128') ? 16 : 32);

function mistakeIn(text: string, path: string): string | undefined {
  const mistake = dotenvMistake(text);
  if (mistake === undefined) return undefined;
  const { line, name, because } = mistake;
  return `The environment file ${path} is broken in line ${line}${name === '' ? '' : ` (${name})`}: ${because}.`;
}

async function isThere({ files }: Pick<Host, 'files'>, path: string): Promise<boolean> {
  return (await files.stat(path)) !== undefined;
}

function isTracked(application: Application, path: string): Promise<boolean> {
  return names(application, git('ls-files', '-z', '--', `:(top,literal)${path}`));
}

function isIn(application: Application, commit: string, path: string): Promise<boolean> {
  return names(application, git('ls-tree', '-z', '--name-only', commit, '--', path));
}

async function names({ host, checkout }: Application, list: Command): Promise<boolean> {
  const options = { cwd: checkout.directory, env: checkout.gitEnvironment, timeoutSeconds: 30 };
  return (await host.run(list, options)).stdout !== '';
}
