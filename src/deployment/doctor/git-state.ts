import { anotherGit } from '../checkout/another-git.ts';
import { unfinishedGit } from '../checkout/unfinished-git.ts';
import { git } from '../git/git.ts';
import { findLocks } from '../tree/git-leftovers.ts';
import { bad, type Check, type Examined, run, warned } from './check.ts';

/** What a person's git has left in the checkout. */
export async function gitState(examined: Examined): Promise<readonly Check[]> {
  return [...(await locks(examined)), ...(await unfinished(examined)), ...(await replaced(examined))];
}

/** git makes these locks while it works, and refuses to work where one exists: those that `doctor --repair` removes. */
async function locks(examined: Examined): Promise<readonly Check[]> {
  const { stdout } = await run(examined, findLocks(examined.checkout), 30);
  const paths = stdout.split('\n').filter((path) => path !== '');
  if (paths.length === 0) return [];
  const isInUse = await anotherGit(examined);
  return paths.map((path) =>
    bad('git', `${path} exists: ${isInUse ? 'another git works in the checkout' : left(path)}.`),
  );
}

function left(path: string): string {
  const hindered = path.endsWith('/index.lock') ? 'reset the files' : 'fetch or reset';
  return `a git that was killed has left it, and no deploy can ${hindered}. holdfast doctor --repair removes it`;
}

/** A deploy does not look at them; a person's `git log` and `git diff` do. */
async function replaced(examined: Examined): Promise<readonly Check[]> {
  const list = git('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/replace');
  const ids = (await run(examined, list, 30)).stdout.split('\n').filter((id) => id !== '');
  if (ids.length === 0) return [];
  const said = `git replace shows other objects here for ${ids.length}, such as ${ids[0]}: a deploy does not look at that, and git replace -d removes it`;
  return [warned('git', said)];
}

/** Its conflicts may be in files that visitors get. */
async function unfinished(examined: Examined): Promise<readonly Check[]> {
  const begun = examined.settings.mode === 'releases' ? undefined : await unfinishedGit(examined);
  if (begun === undefined) return [];
  const sentence = `In the checkout ${begun.what} is in progress (.git/${begun.mark}): the next deploy or rollback gives it up, and so does holdfast doctor --repair. Local edits are kept aside.`;
  return [bad('git', sentence)];
}
