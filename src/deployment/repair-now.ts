import type { Host } from '../host/host.ts';
import { withRun } from './in-checkout.ts';
import { sentence } from './log/sentence.ts';
import { commitTrouble } from './record/commit-trouble.ts';
import type { DeployDocument } from './record/document.ts';
import { isHealthy } from './record/health.ts';
import { recordPreviousCommit } from './releases/record-commits.ts';
import type { Run } from './run/run.ts';
import type { DeploymentSettings } from './settings/settings.ts';

/**
 * `doctor --repair`: repairs what killed runs have left, finishes failed rollbacks of deploys, and does nothing else. A
 * commit that a person went to with `rollback` stays. Where the live commit is then unverified or unhealthy, the run
 * ends `aborted` (exit 1) and says what to do next.
 */
export function repairNow(host: Host, settings: DeploymentSettings): Promise<DeployDocument> {
  return withRun(host, settings, 'repair', async (run) => {
    const commit = await recordPreviousCommit(run);
    const trouble = troubleLeft(run, commit);
    await run.progress.advance(
      trouble === undefined ? { type: 'unchanged', commit } : { type: 'refused', because: trouble, exitCode: 1 },
    );
  });
}

function troubleLeft({ progress, settings, trust }: Run, commit: string): string | undefined {
  const repaired = progress.events.find(({ type }) => type === 'repaired');
  // The basic variant has no address to ask.
  if (repaired?.type === 'repaired' && settings.healthUrls.length > 0 && !isHealthy(repaired))
    return sentence(repaired);
  // These have been repaired just now.
  return commitTrouble({ ...trust, killed: [], failed: [] }, commit);
}
