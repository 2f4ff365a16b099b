import { OperationError } from '../../host/errors.ts';
import type { Files, Host } from '../../host/host.ts';
import type { Secret } from '../../notification/secret.ts';
import { git } from '../git/git.ts';
import type { DeployEvent } from '../record/states.ts';
import { type Environment, gitEnvironment } from '../settings/environment.ts';
import type { CheckoutSettings } from '../settings/settings.ts';
import { addressCredentials } from './address-credentials.ts';
import { userinfo } from './clone.ts';
import { identify, type Owner } from './owner.ts';
import { userName } from './user-name.ts';

/** A checkout that may be deployed: its top, its state folder, and how git is run in it. */
export interface Checkout {
  /** The real path of APP_DIR. */
  readonly directory: string;
  readonly gitFolder: string;
  /** `<APP_DIR>/.git/holdfast`: neither a reset nor a clean touches it. */
  readonly stateFolder: string;
  readonly gitEnvironment: Environment;
  /** The secrets in the address of the remote: they must never be printed. */
  readonly secrets: readonly Secret[];
  readonly self: Owner;
}
export type Entered = { readonly checkout: Checkout } | { readonly event: DeployEvent };

/**
 * Step 2 of 4.3, and every reason not to deploy to APP_DIR (docs/contract.md, "Exit codes", 2): it is not the top of a
 * checkout, or belongs to another user. Changes nothing.
 */
export async function enterCheckout(
  host: Pick<Host, 'files' | 'run' | 'clock' | 'random'>,
  settings: CheckoutSettings,
): Promise<Entered> {
  const directory = await enterDirectory(host.files, settings.appDir);
  if (typeof directory !== 'string') return { event: directory };
  const self = await identify(host);
  const stranger = await foreignOwner(host.files, directory, self.userId);
  if (stranger !== undefined) return { event: refused(stranger) };
  const environment = gitEnvironment(settings.environment);
  const gitFolder =
    (await plainGitFolder(host.files, directory)) ?? (await askForGitFolder(host, directory, environment));
  if (typeof gitFolder !== 'string') return { event: gitFolder };
  const remote = await remoteOf(host, directory, gitFolder, environment);
  return {
    checkout: {
      directory,
      gitFolder,
      stateFolder: `${gitFolder}/holdfast`,
      gitEnvironment: {
        ...gitEnvironment(settings.environment, remote.sshCommand),
        ...addressCredentials(remote.addresses, settings.environment),
      },
      secrets: remote.addresses.flatMap(userinfo),
      self,
    },
  };
}

/** The git folder of a checkout as `git clone` makes it, found without running git; undefined for any other. */
async function plainGitFolder(files: Files, directory: string): Promise<string | undefined> {
  const folder = `${directory}/.git`;
  const [head, objects, references] = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => files.stat(`${folder}/${name}`).catch(() => undefined)),
  );
  const isWhole = head?.kind === 'file' && objects?.kind === 'folder' && references?.kind === 'folder';
  const isUsual = /^\s*bare\s*=\s*false\s*$/im.test(await plainConfiguration(files, folder));
  return isWhole && isUsual ? folder : undefined;
}

/** The text of git's configuration; empty where it may name another work tree. */
async function plainConfiguration(files: Files, gitFolder: string): Promise<string> {
  const text = (await files.read(`${gitFolder}/config`).catch(() => undefined)) ?? '';
  return /worktree|^\s*\[include/im.test(text) ? '' : text;
}

async function askForGitFolder(
  host: Pick<Host, 'run'>,
  directory: string,
  environment: Environment,
): Promise<string | DeployEvent> {
  const top = await host.run(git('rev-parse', '--show-toplevel', '--absolute-git-dir'), {
    cwd: directory,
    env: environment,
    timeoutSeconds: 30,
  });
  const [topLevel, gitFolder] = top.stdout.split('\n');
  if (top.exitCode !== 0 || topLevel === undefined || gitFolder === undefined)
    return refused(`${directory} is not the top of a git checkout: ${lastLine(top.stderr)}.`);
  return topLevel === directory
    ? gitFolder
    : refused(`${directory} is not the top of a git checkout: it lies in the one at ${topLevel}.`);
}

function refused(because: string): DeployEvent {
  return { type: 'refused', because, exitCode: 2 };
}

/** The real path, or the event that says why it cannot be entered. */
async function enterDirectory(files: Files, appDir: string): Promise<string | DeployEvent> {
  try {
    const directory = await files.realPath(appDir);
    if (directory === undefined) return { type: 'directory-change-failed', because: `${appDir} does not exist` };
    // A stat of the dot needs the same permission as changing into the directory.
    if ((await files.stat(`${directory}/.`)) !== undefined) return directory;
    return { type: 'directory-change-failed', because: `${appDir} is not a directory` };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { type: 'directory-change-failed', because: `${appDir}: ${error.failure.reason}` };
  }
}

/** Section 4.3: the script must run as the user that owns APP_DIR. A sentence where this one does not. */
export async function foreignOwner(files: Files, directory: string, userId: number): Promise<string | undefined> {
  const [top, repository] = await Promise.all([directory, `${directory}/.git`].map((path) => files.stat(path)));
  const owner = top?.uid ?? repository?.uid ?? userId;
  const name = await userName(files, owner);
  // To run it as one of two owners would only bring the same refusal for the other.
  if (repository !== undefined && repository.uid !== owner)
    return `${directory} belongs to ${name} and ${directory}/.git to ${await userName(files, repository.uid)}: one user has to own both. chown -R ${name} ${directory}/.git, and run it as ${name}.`;
  if (owner === userId) return undefined;
  return `${directory} belongs to ${name} and this runs as ${await userName(files, userId)}: run it as ${name}.`;
}

/**
 * The ssh command and the addresses of remotes in the checkout's git configuration. git is run only for a remote over
 * ssh and for a configuration of several files.
 */
async function remoteOf(
  host: Pick<Host, 'run' | 'files'>,
  directory: string,
  gitFolder: string,
  environment: Environment,
): Promise<{ readonly sshCommand?: string; readonly addresses: readonly string[] }> {
  const text = (await host.files.read(`${gitFolder}/config`)) ?? '[include]';
  const urls = [...text.matchAll(/^\s*(?:push)?url\s*=\s*"?([^"\s]+)/gim)].map(([, url = '']) => url);
  const isPlain =
    !/^\s*\[(?:include|url)/im.test(text) && !urls.some((url) => /^(?:ssh|git\+ssh):|^[^/]+:(?!\/\/)/.test(url));
  if (isPlain) return { addresses: urls };
  const { stdout } = await host.run(
    git('config', '-z', '--get-regexp', '^(remote\\..*\\.(push)?url|core\\.sshcommand)$'),
    { cwd: directory, env: environment, timeoutSeconds: 30 },
  );
  const entries = stdout.split('\0').map((entry) => entry.split('\n') as [string, string?]);
  const sshCommand = entries.find(([key]) => key === 'core.sshcommand')?.[1];
  const addresses = entries.flatMap(([key, url = '']) => (key === 'core.sshcommand' ? [] : [url]));
  return { ...(sshCommand === undefined ? {} : { sshCommand }), addresses };
}

function lastLine(text: string): string {
  return (
    text
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^fatal: /, '')
      .replace(/\.$/, '') ?? ''
  );
}
