import { restore as restoreArchive } from '../../deployment/backup/restore.ts';
import type { Perform } from '../command.ts';
import { readPlace } from '../read-deployment.ts';

/** `holdfast restore ARCHIVE`: dry unless `--yes`. */
export const restore: Perform = async (context, given) => {
  const [archive = ''] = given.operands;
  await restoreArchive(context.host, await readPlace(context, given), archive, given.options.yes === true);
  return 0;
};
