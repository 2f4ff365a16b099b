import type { Host } from '../host/host.ts';
import { Secret } from '../notification/secret.ts';
import { gitEnvironment } from './environment.ts';
import { git } from './git.ts';
import type { DeploymentSettings } from './settings.ts';

/** Makes an empty checkout of that address, where APP_DIR is missing or empty; the first deploy then fills it. */
export async function prepareClone(host: Pick<Host, 'files' | 'run'>, settings: DeploymentSettings): Promise<void> {
  const { cloneUrl, appDir, branch } = settings;
  if (cloneUrl === undefined || (await host.files.list(appDir)).length > 0) return;
  await host.files.makeFolder(appDir, { mode: 0o755 });
  const options = { cwd: appDir, env: gitEnvironment(settings.environment), timeoutSeconds: 30 };
  await host.run(git('init', '--quiet', `--initial-branch=${branch}`), options);
  await host.run(git('remote', 'add', 'origin', cloneUrl.reveal()), options);
}

/** What is secret in the address of a remote: a password, or a name that may be a token. Over ssh a name is only a user's. */
export function userinfo(address: string): readonly Secret[] {
  const url = URL.parse(address);
  if (url === null || (url.protocol === 'ssh:' && url.password === '')) return [];
  const isToken = url.password === '' || url.password === 'x-oauth-basic';
  return [isToken ? url.username : url.password].filter((word) => word !== '').map((word) => new Secret(word));
}
