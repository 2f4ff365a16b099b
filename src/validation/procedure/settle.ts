import { answerWithinSeconds, retryRead } from '../../cluster/retry-read.ts';
import { unreadyPods } from '../checks/pod-trouble.ts';
import { pollCluster } from '../observe/poll-cluster.ts';
import { readSnapshot, type Snapshot } from '../observe/snapshot.ts';
import { atOnce, besidePods, type Disturbance, journalFor, type Part, type ScenarioRun, stuck } from './part.ts';
import { settleLimitSeconds } from './settle-limit.ts';

/** Waits for each; one that does not settle has no further round. */
export async function settle(disturbance: Disturbance, round: number): Promise<void> {
  const { lead, scenario, parts } = disturbance;
  const settled = await atOnce(parts, async (part) => {
    const { before } = part;
    if (before === undefined) return false;
    const limitSeconds = settleLimitSeconds(part.scenario, before);
    lead.onWait?.('until the cluster has settled', limitSeconds);
    const isSettled = (now: Snapshot): boolean =>
      part.scenario.settled({ ...withBeside(part, parts, now), ...part.observation.now() }, before, round);
    if (await pollCluster(part.run, limitSeconds, isSettled)) return true;
    await stuck(disturbance, part, `the cluster did not settle within ${limitSeconds} s${await podsLeft(part.run)}`);
    return false;
  });
  const steady = parts.filter((_, index) => settled[index]);
  if (steady.length > 0)
    journalFor(steady.map(({ run }) => run)).record({ type: 'scenario-settled', scenario: scenario.name });
}

/** What keeps the application's pods from being ready at the end of a limit; empty if they are. */
async function podsLeft(run: ScenarioRun): Promise<string> {
  const { pods } = await retryRead(run, answerWithinSeconds, () => readSnapshot(run.site.cluster, run.settings));
  const trouble = unreadyPods(pods);
  return trouble === '' ? '' : `: ${trouble}`;
}

const withBeside = (part: Part, parts: readonly Part[], now: Snapshot): Snapshot => ({
  ...now,
  ...besidePods(part, parts, ({ run }) => run.timeline.now().pods),
});
