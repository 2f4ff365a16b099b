import type { RunProgress } from '../log/progress.ts';
import { isHealthy } from '../record/health.ts';
import type { Trust } from '../record/trust.ts';
import type { Run, Workspace } from '../run/run.ts';
import { isDone } from './is-done.ts';
import { liveRelease } from './live-release.ts';
import { type Release, recordRelease } from './release.ts';

/**
 * Records the live release as `good` where this run verified it; call before the outcome is durable. A failure is
 * logged and changes no outcome.
 */
export async function recordProof(run: Workspace): Promise<void> {
  if (run.settings.mode !== 'releases') return;
  const { host, checkout } = run;
  const live = await liveRelease(host.files, checkout);
  if (live === undefined || !isProved(run.progress, live.commit)) return;
  await recordGood(run, live);
}

/** The same for a run that was killed after its health check and before that record. */
export async function recordLateProof(run: Run): Promise<void> {
  if (run.settings.mode !== 'releases') return;
  const live = await liveRelease(run.host.files, run.checkout);
  if (live?.state === 'ready' && isProvedBefore(run.trust, live.commit)) await recordGood(run, live);
}

async function recordGood(run: Workspace, live: Release): Promise<void> {
  const { host, checkout } = run;
  const proved: Release = { ...live, state: 'good', provedAt: host.clock.wallAt() };
  await isDone(run, `The release ${live.name} cannot be recorded as good`, recordRelease(host.files, checkout, proved));
}

function isProved({ state, events }: RunProgress, commit: string): boolean {
  const last = events.findLast((event) => event.type === 'health-checked' || event.type === 'repaired');
  return state === 'updated' || (last?.commit === commit && isHealthy(last));
}

function isProvedBefore({ base, unproved, quarantined, killed }: Trust, commit: string): boolean {
  return commit === base && killed.length === 0 && !unproved.has(commit) && !quarantined.has(commit);
}
