import { openJournal } from '../journal/journal.ts';
import type { ValidationFact } from './events.ts';
import { hasDied, type OtherHolder, takeLease } from './lease.ts';
import { type Recovered, recover } from './recover.ts';
import { runFiles } from './run-folder.ts';
import type { Site } from './scenario.ts';

/** A run that was interrupted, as its folder tells it. */
export interface InterruptedRun {
  readonly site: Site;
  readonly namespace: string;
  readonly folder: string;
  readonly facts: readonly ValidationFact[];
  /** Its id, by which it held its lease. */
  readonly run: string;
  readonly cleanup: boolean;
}
/** What became of each action, or who is running. */
export type RecoveredRun = { readonly ends: readonly Recovered[] } | OtherHolder;

/** Undoes what the run left, unless it or another one is still alive. */
export async function recoverRun({
  site,
  namespace,
  folder,
  facts,
  run,
  cleanup,
}: InterruptedRun): Promise<RecoveredRun> {
  const asking = { cluster: site.cluster, clock: site.host.clock, namespace, holder: `recover of ${run}` };
  if (!(await hasDied(asking, run))) return { holder: run, namespace, renewedAt: '' };
  const lease = await takeLease(asking, () => {});
  if ('holder' in lease) return lease;
  const journal = await openJournal<ValidationFact>(site.host, `${folder}/${runFiles.journal}`);
  try {
    return { ends: await recover(site, facts, journal, { cleanup }) };
  } finally {
    await journal.close();
    await lease.release();
  }
}
