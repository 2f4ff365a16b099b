import type { Files, Host } from '../../host/host.ts';
import { Secret } from '../../notification/secret.ts';
import { git } from '../git/git.ts';
import { gitEnvironment } from '../settings/environment.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

/**
 * Makes a repository without files whose origin is `cloneUrl`, where APP_DIR is missing or empty; the first deploy then
 * fills it.
 */
export async function prepareClone(
  host: Pick<Host, 'files' | 'run' | 'random'>,
  settings: DeploymentSettings,
): Promise<void> {
  const { cloneUrl, appDir } = settings;
  if (cloneUrl === undefined) return;
  const names = await host.files.list(appDir);
  if (names.every(isDraft)) await publishRepository(host, settings, cloneUrl.reveal());
  for (const draft of (await host.files.list(appDir)).filter(isDraft)) await host.files.remove(`${appDir}/${draft}`);
}

/** A process that is killed leaves a folder with this prefix, and never an incomplete `.git`. */
const draftPrefix = '.holdfast-clone-';
const isDraft = (name: string): boolean => name.startsWith(draftPrefix);

/** Makes the repository in a draft folder and renames it: two processes at once still make one. */
async function publishRepository(
  host: Pick<Host, 'files' | 'run' | 'random'>,
  { appDir, branch, environment }: DeploymentSettings,
  url: string,
): Promise<void> {
  const draft = `${appDir}/${draftPrefix}${host.random('deployment-clone')().toString(36).slice(2)}`;
  await host.files.makeFolder(appDir, { mode: 0o755 });
  await host.files.makeFolder(draft, { mode: 0o755 });
  const options = { cwd: draft, env: gitEnvironment(environment), timeoutSeconds: 30 };
  const made = await host.run(git('init', '--quiet', `--initial-branch=${branch}`), options);
  if (made.exitCode !== 0) return;
  await nameOrigin(host.files, `${draft}/.git/config`, url);
  if ((await host.files.stat(`${appDir}/.git`)) === undefined)
    await host.files.rename(`${draft}/.git`, `${appDir}/.git`);
}

/**
 * As `git remote add`, which would show the address in the list of processes. With a secret in it the file is for its
 * owner alone.
 */
async function nameOrigin(files: Files, path: string, url: string): Promise<void> {
  const quoted = url.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
  const origin = `[remote "origin"]\n\turl = "${quoted}"\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
  const text = `${(await files.read(path)) ?? ''}${origin}`;
  await files.replace(path, text, userinfo(url).length > 0 ? { mode: 0o600 } : {});
}

/**
 * The secret in the address of a remote: its password, or a user name that may be a token. Over ssh a user name is no
 * secret.
 */
export function userinfo(address: string): readonly Secret[] {
  const url = URL.parse(address);
  if (url === null || (url.protocol === 'ssh:' && url.password === '')) return [];
  const isToken = url.password === '' || url.password === 'x-oauth-basic';
  const words = [isToken ? url.username : url.password].filter((word) => word !== '');
  return words.map((word) => new Secret(word));
}
