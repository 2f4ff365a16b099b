import { type Restore, restore as restoreArchive } from '../../deployment/backup/restore.ts';
import { isDump, restoreDatabase } from '../../deployment/backup/restore-database.ts';
import type { Perform } from '../command/command.ts';
import { readPlace } from '../settings/read-deployment.ts';

/** `restore ARCHIVE`: prints the commands; runs them with `--yes`. */
export const restore: Perform = async (context, given) => {
  const [archive = ''] = given.operands;
  const { host, flags } = context;
  const restored = given.options.yes === true;
  const bringBack = isDump(archive) ? restoreDatabase : restoreArchive;
  const restore = await bringBack(host, await readPlace(context, given), archive, restored);
  if (flags.json) host.out.write(`${JSON.stringify({ schemaVersion: 1, archive, restored, ...restore })}\n`);
  else if (!restored) host.out.write(dryText(restore));
  return 0;
};

function dryText({ commands, members }: Restore): string {
  const lines = commands.map((words) => `${words.join(' ')}\n`);
  return `${lines.join('')}These commands would restore ${members} members of the archive. Nothing was done: run them with --yes.\n`;
}
