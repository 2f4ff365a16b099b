import type { GitPlace } from './another-git.ts';

/** What a person began with git in a checkout and has not ended. */
export interface UnfinishedGit {
  /** With its article. */
  readonly what: string;
  /** What shows it, in the git folder. */
  readonly mark: string;
  /** Gives it up without a change of HEAD or of files; absent where a hard reset does so itself. */
  readonly quit?: 'rebase --quit' | 'am --quit';
}

/** By git's own marks (gitrepository-layout(5), and `wt-status.c`); the first one that is there counts. */
const kinds: readonly UnfinishedGit[] = [
  { what: 'a rebase', mark: 'rebase-merge', quit: 'rebase --quit' },
  { what: 'an application of patches', mark: 'rebase-apply/applying', quit: 'am --quit' },
  { what: 'a rebase', mark: 'rebase-apply', quit: 'rebase --quit' },
  { what: 'a merge', mark: 'MERGE_HEAD' },
  { what: 'a cherry-pick', mark: 'CHERRY_PICK_HEAD' },
  { what: 'a revert', mark: 'REVERT_HEAD' },
];

export async function unfinishedGit({ host, checkout }: GitPlace): Promise<UnfinishedGit | undefined> {
  const there = await Promise.all(kinds.map(({ mark }) => host.files.stat(`${checkout.gitFolder}/${mark}`)));
  return kinds.find((_, index) => there[index] !== undefined);
}

/** The commit at which a rebase began; undefined for anything else. */
export async function commitBefore({ host, checkout }: GitPlace, { mark }: UnfinishedGit): Promise<string | undefined> {
  const begun = await host.files.read(`${checkout.gitFolder}/${mark}/orig-head`).catch(() => undefined);
  return begun === undefined ? undefined : begun.trim() || undefined;
}
