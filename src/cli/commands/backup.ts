import { backupNow } from '../../deployment/backup-now.ts';
import { UsageError } from '../../host/errors.ts';
import type { Perform } from '../command/command.ts';
import { readDeployment, talkative } from '../settings/read-deployment.ts';
import { fittedVerdict } from './deploy.ts';

/** `backup`: writes the archive of 4.3, without a deploy. */
export const backup: Perform = async (context, given) => {
  const settings = await readDeployment(context, given);
  const { dir } = settings.backup;
  if (dir === undefined) throw new UsageError(['deployment.backup.dir is missing: give --backup-dir or the setting.']);
  const document = await backupNow(talkative(context), settings, dir);
  context.host.out.write(
    context.flags.json ? `${JSON.stringify(document)}\n` : fittedVerdict(context.host.out, document),
  );
  return document.exitCode;
};
