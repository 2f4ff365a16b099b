import { OperationError } from '../../host/errors.ts';
import type { Command, CommandResult, Host } from '../../host/host.ts';
import { type Page, serve } from '../../host/serve.ts';
import { buildScript } from './build-script.ts';

/**
 * A deployment on this machine alone: a remote, a developer's clone, the checkout on the server, and an HTTP server for
 * the site.
 */
export interface ThrowAwaySite {
  /** Commits and pushes these files. */
  readonly push: (files: Readonly<Record<string, string>>) => Promise<void>;
  /** The program itself, as a process of its own. */
  readonly holdfast: (...words: readonly string[]) => Promise<CommandResult>;
  /** GETs the page of the site. */
  readonly visit: () => Promise<{ readonly status: number; readonly page: string }>;
  /** The texts of the files that no deploy may touch, joined. */
  readonly precious: () => Promise<string>;
  /** Writes a file on the server; its path is from the top of the checkout. */
  readonly write: (path: string, text: string) => Promise<void>;
  /** Removes all of it. */
  readonly remove: () => Promise<void>;
}

/** How holdfast is started, the PATH of all commands, and the folder in which the site is made. */
export interface RehearsalOptions {
  readonly program: Command;
  readonly path: string;
  readonly folder: string;
  /** Aborted when a person stops the rehearsal: running commands are ended. */
  readonly signal: AbortSignal;
}

/**
 * Makes the site in a new folder below `options.folder`. Without git, or where nothing can be written, an
 * `OperationError`.
 */
export async function buildThrowAwaySite(
  host: Pick<Host, 'files' | 'http' | 'random' | 'run'>,
  options: RehearsalOptions,
): Promise<ThrowAwaySite> {
  const folder = `${options.folder}/holdfast-rehearsal-${host.random('rehearsal-folder')().toString(36).slice(2)}`;
  await host.files.makeFolder(folder, { mode: 0o700 });
  const run = runIn(host, options, folder);
  const app = `${folder}/app`;
  const served = await serve({ host: '127.0.0.1', port: 0 }, (path) => answer(host, app, path));
  const address = `http://127.0.0.1:${served.port}`;
  const remove = async (): Promise<void> => {
    served.close();
    await host.files.remove(folder);
  };
  try {
    await furnish(host, run, folder, address);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    remove,
    push: (files) => push(host, run, folder, files),
    holdfast: (...words) => run([...options.program, ...words]),
    visit: async () => {
      const response = await host.http({ method: 'GET', url: `${address}/`, timeoutSeconds: 10 });
      return { status: response.status, page: await response.text() };
    },
    precious: async () => {
      const texts = Object.keys(precious).map((path) => host.files.read(`${app}/${path}`));
      return (await Promise.all(texts)).join('\n');
    },
    write: (path, text) => host.files.replace(`${app}/${path}`, text),
  };
}

type RunCommand = (command: Command) => Promise<CommandResult>;

/** Far longer than any command here takes: a command that hangs because of a defect ends. */
const commandSeconds = 60;

/**
 * Runs commands with this environment only: neither the settings of a real site nor a person's git configuration reach
 * the rehearsal.
 */
function runIn({ run }: Pick<Host, 'run'>, { path, signal }: RehearsalOptions, folder: string): RunCommand {
  const env = { PATH: path, HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  return (command) => run(command, { cwd: folder, env, timeoutSeconds: commandSeconds, signal });
}

const precious: Readonly<Record<string, string>> = {
  '.env': 'APP_KEY=not-to-be-lost\n',
  'uploads/photo': 'an upload',
  untracked: 'git does not track this\n',
};

const first: Readonly<Record<string, string>> = {
  page: 'page one',
  status: '200',
  build: buildScript,
  '.gitignore': '/.env\n/built-page\n/uploads/\n',
};

/** Checks out and builds the first commit, and adds uploads. */
async function furnish(host: Pick<Host, 'files'>, run: RunCommand, folder: string, address: string): Promise<void> {
  const app = `${folder}/app`;
  await git(run, 'init', '--quiet', '--bare', '--initial-branch=main', 'remote.git');
  await git(run, 'clone', '--quiet', 'remote.git', 'developer');
  await push(host, run, folder, first);
  await git(run, 'clone', '--quiet', 'remote.git', 'app');
  await host.files.makeFolder(`${app}/uploads`);
  for (const [path, text] of Object.entries(precious)) await host.files.replace(`${app}/${path}`, text);
  await host.files.replace(`${app}/built-page`, 'page one');
  const deployment = {
    appDir: app,
    branch: 'main',
    logFile: `${folder}/deploy.log`,
    healthUrl: `${address}/health`,
    preset: 'none',
    caches: { rebuild: [{ name: 'build', command: ['sh', 'build'] }] },
  };
  await host.files.replace(`${folder}/holdfast.yaml`, JSON.stringify({ deployment }));
}

async function push(
  host: Pick<Host, 'files'>,
  run: RunCommand,
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) await host.files.replace(`${folder}/developer/${path}`, text);
  const inClone = ['-C', 'developer', '-c', 'user.name=A Developer', '-c', 'user.email=developer@example.com'];
  await git(run, ...inClone, 'add', '--all');
  await git(run, ...inClone, 'commit', '--quiet', '--message=a change');
  await git(run, ...inClone, 'push', '--quiet', 'origin', 'HEAD:refs/heads/main');
}

async function git(run: RunCommand, ...words: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await run(['git', ...words]);
  if (exitCode === 0) return;
  throw new OperationError({
    tried: 'Making a checkout to rehearse on with',
    on: ['git', ...words].join(' '),
    reason: stderr.trim() || `exit code ${exitCode}`,
    ...(exitCode === 127 ? { next: 'Install git: it is all that this rehearsal needs' } : {}),
  });
}

/** The built page, with the status that the file `status` of the checkout holds. */
async function answer({ files }: Pick<Host, 'files'>, app: string, path: string): Promise<Page> {
  const body = path === '/health' ? '' : ((await files.read(`${app}/built-page`)) ?? '');
  return { type: 'text/plain', body, status: (await files.read(`${app}/status`)) === '200' ? 200 : 500 };
}
