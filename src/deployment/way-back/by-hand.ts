import { linkOf } from '../releases/live-release.ts';
import { releaseOf } from '../releases/release-of.ts';
import type { Workspace } from '../run/run.ts';
import { cameFromCheckout, checkoutItself } from './return-to-release.ts';

/** Writes the exact commands of a rollback to the log and to standard error. */
export async function logRollbackByHand(run: Workspace, commit: string): Promise<void> {
  const { checkout, settings, log, host } = run;
  const commands =
    settings.mode === 'releases'
      ? await waysToSwitch(run, commit)
      : [
          ['cd', checkout.directory],
          ['git', 'reset', '--hard', commit],
          ...(settings.subfolder === undefined ? [] : [['cd', settings.subfolder]]),
          ...settings.caches.rebuild.map((step) => step.command),
        ];
  const text = commands.map((words) => words.map(quoted).join(' ')).join('\n');
  await log.output(`To roll back by hand:\n${text}\n`);
  host.talk.write(`The checkout is neither the new commit nor the previous one. To roll back by hand:\n\n${text}\n\n`);
}

/** The commands that switch the link; where the release was removed, the command that makes it again. */
async function waysToSwitch(run: Workspace, commit: string): Promise<readonly (readonly string[])[]> {
  const target = (await cameFromCheckout(run, commit)) ? checkoutItself : (await releaseOf(run, commit))?.directory;
  const aside = `${run.checkout.directory}/by-hand`;
  if (target === undefined) return [['holdfast', 'rollback', '--mode', 'releases', commit]];
  return [
    ['ln', '-sfn', target, aside],
    ['mv', '-T', aside, linkOf(run.checkout)],
  ];
}

/** A word as a POSIX shell reads it back. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
