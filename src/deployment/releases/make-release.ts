import { commitOf, emptyTreeLike } from '../git/commits.ts';
import { git } from '../git/git.ts';
import { type ResetTrouble, resetTrouble } from '../git/reset.ts';
import { type Run, runGit, runStep, type Workspace } from '../run/run.ts';
import { linkName } from '../settings/contradictions.ts';
import { makeOpenFolder, umaskOfCheckout } from '../tree/permissions.ts';
import { demandSpace, differencesBetween } from '../tree/space.ts';
import { inRelease } from './in-release.ts';
import { liveRelease } from './live-release.ts';
import { freeName, type Release, readReleases, recordRelease } from './release.ts';

/**
 * Makes a folder beside the other releases with exactly the files of the commit: a linked working tree of the
 * checkout's repository, or returns why git failed. Too little room is an `OperationError`, before anything is made.
 */
export async function makeRelease(run: Run, commit: string): Promise<Release | ResetTrouble> {
  const { files } = run.host;
  const folder = releasesFolder(run);
  await makeOpenFolder(run, folder);
  await demandSpace(run, await differencesBetween(run, emptyTreeLike(commit), commit), folder);
  await hideFromGit(run);
  const name = freeName(run.id, commit, await readReleases(files, run.checkout));
  const directory = `${(await files.realPath(folder)) ?? folder}/${name}`;
  const release: Release = { name, directory, commit, madeAt: run.host.clock.wallAt(), state: 'making' };
  const live = await liveRelease(files, run.checkout);
  const umask = await umaskOfCheckout(live === undefined ? run : inRelease(run, live));
  await recordRelease(files, run.checkout, release);
  const add = [...addRelease, directory, commit] as const;
  const trouble = resetTrouble(await runGit(run, 'release', add, umask === undefined ? {} : { umask }));
  return trouble ?? ((await isWhole(run, release)) ? release : {});
}

/**
 * The command for a linked working tree, which has git's attributes and filters applied; its directory and its commit
 * are to be appended.
 */
export const addRelease = git('worktree', 'add', '--quiet', '--detach');

function releasesFolder({ settings, checkout }: Pick<Workspace, 'settings' | 'checkout'>): string {
  const { folder } = settings.releases;
  return folder.startsWith('/') ? folder : `${checkout.directory}/${folder}`;
}

/** Compares the release's HEAD with the commit, and gives its PHP files a time in the past. */
async function isWhole(run: Run, release: Release): Promise<boolean> {
  const inside = inRelease(run, release);
  const head = await runGit(inside, 'commit of the release', commitOf('HEAD'), { answers: true });
  if (head.stdout.trim() !== release.commit) return false;
  // opcache does not keep files younger than opcache.file_update_protection (2 s); Laravel compiles a view again that
  // is not younger than its source.
  const date = `--date=@${Math.floor(run.startedAt / 1000) - behindSeconds}`;
  const touch = ['touch', '--no-dereference', date, '{}', '+'] as const;
  const find = ['find', release.directory, '-xdev', '-type', 'f', '-name', '*.php', '-exec', ...touch] as const;
  return (await runStep(inside, 'times', find, { env: run.settings.environment })).exitCode === 0;
}

/** More than any usual opcache.file_update_protection. */
export const behindSeconds = 60;

/**
 * Excludes the releases and the link from git's untracked files in the checkout: `git clean` there must not remove
 * them.
 */
async function hideFromGit({
  host,
  settings,
  checkout,
}: Pick<Workspace, 'host' | 'settings' | 'checkout'>): Promise<void> {
  const path = `${checkout.gitFolder}/info/exclude`;
  const text = (await host.files.read(path)) ?? '';
  const names = [linkName, settings.releases.folder].filter((name) => !name.startsWith('/'));
  const lines = names.map((name) => `/${name}`).filter((line) => !text.split('\n').includes(line));
  if (lines.length === 0) return;
  await host.files.makeFolder(`${checkout.gitFolder}/info`);
  await host.files.replace(path, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${lines.join('\n')}\n`);
}
