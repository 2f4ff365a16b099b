import { type Restore, restore as restoreArchive } from '../../deployment/backup/restore.ts';
import { isDump, restoreDatabase } from '../../deployment/backup/restore-database.ts';
import { ownIds } from '../../host/caller.ts';
import { UsageError } from '../../host/errors.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { readPlace } from '../settings/read-deployment.ts';

/** `restore ARCHIVE`: prints the commands; runs them with `--yes`, where 1 says that a service did not start again. */
export const restore: Perform = async (context, given) => {
  const [archive = ''] = given.operands;
  const { host, flags } = context;
  const restored = given.options.yes === true;
  const place = await readPlace(context, given);
  const foreign = given.options.trust === archive ? [] : await foreignSigns(context, archive, place.appDir);
  if (foreign.length > 0)
    throw new UsageError([
      `${archive} may not be an archive of yours: ${foreign.join('; ')}. If you know who wrote it: --trust ${archive}`,
    ]);
  const bringBack = isDump(archive) ? restoreDatabase : restoreArchive;
  const restore = await bringBack(host, place, archive, restored);
  if (flags.json) host.out.write(`${JSON.stringify({ schemaVersion: 1, archive, restored, ...restore })}\n`);
  else host.out.write(restored ? doneText(archive, restore) : dryText(restore));
  return (restore.notStarted ?? []).length === 0 ? exitCodes.done : exitCodes.failed;
};

/** What speaks against the archive being one of the caller, of root or of the owner of the checkout, a clause each. */
async function foreignSigns(
  { host: { files }, environment }: Context,
  archive: string,
  appDir: string,
): Promise<readonly string[]> {
  const path = (await files.realPath(archive)) ?? archive;
  const [stat, checkout] = await Promise.all([files.stat(path), files.stat(`${appDir}/.`)]);
  if (stat === undefined) return [];
  const own = [...ownIds(environment), ...(checkout === undefined ? [] : [checkout.uid])];
  return [
    ...(own.includes(stat.uid) ? [] : [`it belongs to user ${stat.uid}`]),
    ...(stat.mode & 0o002 ? ['everybody may write it'] : []),
  ];
}

function doneText(archive: string, { members, notStarted = [] }: Restore): string {
  const down = notStarted.map((words) => ` Not started again: ${words.join(' ')}; start it by hand.`).join('');
  return `Restored ${members} ${members === 1 ? 'member' : 'members'} of ${archive}.${down}\n`;
}

function dryText({ commands, members }: Restore): string {
  const lines = commands.map((words) => `${words.join(' ')}\n`);
  return `${lines.join('')}These commands would restore ${members} members of the archive. Nothing was done: run them with --yes.\n`;
}
