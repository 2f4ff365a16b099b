import type { Host } from '../../host/host.ts';
import { enterCheckout } from '../checkout/checkout.ts';
import { commitOf, isCommitId } from '../git/commits.ts';
import { git } from '../git/git.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { liveRelease } from './live-release.ts';

/** From which commit a deploy would go to which one; null where that is not to be said, as for a remote that does not answer. */
export interface CommitsAhead {
  readonly previousCommit: string | null;
  readonly newCommit: string | null;
}

/** Asks the checkout and its remote. Changes nothing, and fetches nothing. */
export async function commitsAhead(host: Host, settings: DeploymentSettings): Promise<CommitsAhead> {
  const entered = await enterCheckout(host, settings);
  if (!('checkout' in entered)) return { previousCommit: null, newCommit: null };
  const { checkout } = entered;
  const live = settings.mode === 'releases' ? await liveRelease(host.files, checkout) : undefined;
  const options = { cwd: checkout.directory, env: checkout.gitEnvironment, timeoutSeconds: 60 };
  const remote = git('ls-remote', '--end-of-options', 'origin', `refs/heads/${settings.branch}`);
  const [head, branch] = await Promise.all([host.run(commitOf('HEAD'), options), host.run(remote, options)]);
  return { previousCommit: live?.commit ?? idIn(head.stdout), newCommit: idIn(branch.stdout) };
}

function idIn(text: string): string | null {
  const [id = ''] = text.split(/\s/);
  return isCommitId(id) ? id : null;
}
