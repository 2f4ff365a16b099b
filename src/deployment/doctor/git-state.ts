import { anotherGit } from '../checkout/another-git.ts';
import { unfinishedGit } from '../checkout/unfinished-git.ts';
import { bad, type Check, type Examined } from './check.ts';

/** What a person's git has left in the checkout. */
export async function gitState(examined: Examined): Promise<readonly Check[]> {
  return [...(await lock(examined)), ...(await unfinished(examined))];
}

/** git makes this lock while it works, and refuses to work where it exists. */
async function lock(examined: Examined): Promise<readonly Check[]> {
  const path = `${examined.checkout.gitFolder}/index.lock`;
  if ((await examined.host.files.stat(path)) === undefined) return [];
  const why = (await anotherGit(examined))
    ? 'another git works in the checkout'
    : 'a git that was killed has left it, and no deploy can reset the files. holdfast doctor --repair removes it';
  return [bad('git', `${path} exists: ${why}.`)];
}

/** Its conflicts may be in files that visitors get. */
async function unfinished(examined: Examined): Promise<readonly Check[]> {
  const begun = examined.settings.mode === 'releases' ? undefined : await unfinishedGit(examined);
  if (begun === undefined) return [];
  const sentence = `In the checkout ${begun.what} is in progress (.git/${begun.mark}): the next deploy or rollback gives it up, and so does holdfast doctor --repair. Local edits are kept aside.`;
  return [bad('git', sentence)];
}
