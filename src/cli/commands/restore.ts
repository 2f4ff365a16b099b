import { type Restore, restore as restoreArchive } from '../../deployment/backup/restore.ts';
import { isDump, restoreDatabase } from '../../deployment/backup/restore-database.ts';
import type { Perform } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { readPlace } from '../settings/read-deployment.ts';

/** `restore ARCHIVE`: prints the commands; runs them with `--yes`, where 1 says that a service did not start again. */
export const restore: Perform = async (context, given) => {
  const [archive = ''] = given.operands;
  const { host, flags } = context;
  const restored = given.options.yes === true;
  const bringBack = isDump(archive) ? restoreDatabase : restoreArchive;
  const restore = await bringBack(host, await readPlace(context, given), archive, restored);
  if (flags.json) host.out.write(`${JSON.stringify({ schemaVersion: 1, archive, restored, ...restore })}\n`);
  else host.out.write(restored ? doneText(archive, restore) : dryText(restore));
  return (restore.notStarted ?? []).length === 0 ? exitCodes.done : exitCodes.failed;
};

function doneText(archive: string, { members, notStarted = [] }: Restore): string {
  const down = notStarted.map((words) => ` Not started again: ${words.join(' ')}; start it by hand.`).join('');
  return `Restored ${members} ${members === 1 ? 'member' : 'members'} of ${archive}.${down}\n`;
}

function dryText({ commands, members }: Restore): string {
  const lines = commands.map((words) => `${words.join(' ')}\n`);
  return `${lines.join('')}These commands would restore ${members} members of the archive. Nothing was done: run them with --yes.\n`;
}
