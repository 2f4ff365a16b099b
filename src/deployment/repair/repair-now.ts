import type { Host } from '../../host/host.ts';
import type { DeployDocument } from '../document.ts';
import { recordPreviousCommit } from '../record-commits.ts';
import type { DeploymentSettings } from '../settings.ts';
import { withRun } from '../with-run.ts';

/** Repairs what killed runs have left, and does nothing else. */
export function repairNow(host: Host, settings: DeploymentSettings): Promise<DeployDocument> {
  return withRun(host, settings, 'repair', async (run) => {
    const commit = await recordPreviousCommit(run);
    await run.progress.advance({ type: 'unchanged', commit });
  });
}
