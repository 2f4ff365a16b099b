import type { Host } from '../host/host.ts';
import { backup } from './backup/backup.ts';
import { withRun } from './in-checkout.ts';
import type { DeployDocument } from './record/document.ts';
import { recordPreviousCommit } from './releases/record-commits.ts';
import type { DeploymentSettings } from './settings/settings.ts';

/** The command `backup`: makes an archive, under the deployment lock. */
export function backupNow(host: Host, settings: DeploymentSettings, backupDir: string): Promise<DeployDocument> {
  return withRun(host, settings, 'backup', async (run) => {
    const commit = await recordPreviousCommit(run);
    await backup(run, backupDir);
    await run.progress.advance({ type: 'unchanged', commit });
  });
}
