import type { Command, Host } from '../../host/host.ts';
import { enterCheckout } from '../checkout/checkout.ts';
import { commitOf, isCommitId } from '../git/commits.ts';
import { git } from '../git/git.ts';
import { gitEnvironment } from '../settings/environment.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { liveRelease } from './live-release.ts';

/**
 * From which commit a deploy would go to which one; null where that is not to be said, as for a remote that does not
 * answer.
 */
export interface CommitsAhead {
  readonly previousCommit: string | null;
  readonly newCommit: string | null;
}

/** Asks the checkout and its remote. Changes nothing, and fetches nothing. */
export async function commitsAhead(host: Host, settings: DeploymentSettings): Promise<CommitsAhead> {
  const entered = await enterCheckout(host, settings);
  if (!('checkout' in entered)) return { previousCommit: null, newCommit: await commitToClone(host, settings) };
  const { checkout } = entered;
  const live = settings.mode === 'releases' ? await liveRelease(host.files, checkout) : undefined;
  const options = { cwd: checkout.directory, env: checkout.gitEnvironment, timeoutSeconds: 60 };
  const [head, newCommit, known] = await Promise.all([
    host.run(commitOf('HEAD'), options),
    host.run(listOf('origin', settings), options),
    settings.commit === undefined ? undefined : host.run(commitOf(settings.commit), options),
  ]);
  const here = known === undefined ? null : idIn(known.stdout);
  return { previousCommit: live?.commit ?? idIn(head.stdout), newCommit: last(newCommit.stdout) ?? here };
}

/** The first deploy of a server clones. */
async function commitToClone(host: Host, settings: DeploymentSettings): Promise<string | null> {
  if (settings.cloneUrl === undefined) return null;
  const options = { env: gitEnvironment(settings.environment), timeoutSeconds: 60 };
  return last((await host.run(listOf(settings.cloneUrl.reveal(), settings), options)).stdout);
}

/** The line of a tag is followed by that of its commit, where it is a tag with a message. */
function listOf(remote: string, { branch, commit }: DeploymentSettings): Command {
  const references =
    commit === undefined ? [`refs/heads/${branch}`] : [`refs/tags/${commit}`, `refs/tags/${commit}^{}`];
  return git('ls-remote', '--end-of-options', remote, ...references);
}

const last = (list: string): string | null => idIn(list.trim().split('\n').at(-1) ?? '');

function idIn(text: string): string | null {
  const [id = ''] = text.split(/\s/);
  return isCommitId(id) ? id : null;
}
