import { poll } from '../../cluster/poll.ts';
import { goodSamples } from '../frame.ts';
import { type Disturbance, journalFor, type Part } from './part.ts';
import { steadyLimitSeconds } from './prepare-baseline.ts';

/** The first round opens the window in which downtime is the scenario's. */
export function openRound(disturbance: Disturbance, round: number): void {
  const { lead, scenario, parts } = disturbance;
  const journal = journalFor(parts.map(({ run }) => run));
  if (disturbance.window === undefined) journal.record({ type: 'window-opened', scenario: scenario.name });
  disturbance.window ??= parts;
  lead.monitor.edges(true);
  journal.record({ type: 'round-opened', scenario: scenario.name, round });
}

/** The window closes after the undo and a quiet tail, because downtime that an undo causes counts too. */
export async function closeWindow({ lead, scenario }: Disturbance, parts: readonly Part[]): Promise<void> {
  const { site, monitor, signal } = lead;
  const undoneAt = site.host.clock.wallAt();
  const limitSeconds = steadyLimitSeconds(lead, scenario);
  if (!signal.aborted) lead.onWait?.(`for ${goodSamples} good probes in a row after the undo`, limitSeconds);
  const isSteady = ({ run }: Part): boolean => run.monitor.goodInARow(undoneAt) >= goodSamples;
  if (!signal.aborted) await poll(lead, limitSeconds, () => parts.every(isSteady));
  const closedAt = site.host.clock.wallAt();
  monitor.edges(false);
  journalFor(parts.map(({ run }) => run)).record({ type: 'window-closed', scenario: scenario.name });
  if (!signal.aborted) await monitor.writtenUntil(closedAt);
}
