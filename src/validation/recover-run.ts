import { OperationError } from '../host/errors.ts';
import { openJournal } from '../journal/journal.ts';
import type { ValidationFact } from './events.ts';
import { type Asking, type HeldLease, hasDied, type OtherHolder, takeLease } from './lease.ts';
import { notReached, type Recovered, recover } from './recover.ts';
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
export type RecoveredRun = Ended | OtherHolder;
interface Ended {
  readonly ends: readonly Recovered[];
  /** Why the run's journal does not tell it: a second `recover` looks at it all again, and finds it as it was. */
  readonly untold?: string;
}

/** Undoes what the run left, unless it, another one or another `recover` of it is alive. An API server that is away leaves everything open. */
export async function recoverRun({
  site,
  namespace,
  folder,
  facts,
  run,
  cleanup,
}: InterruptedRun): Promise<RecoveredRun> {
  const asking = { cluster: site.cluster, clock: site.host.clock, namespace, holder: `recover of ${run}` };
  const lease = await leaseOf(asking, run);
  if (lease instanceof OperationError) return { ends: notReached(facts, lease.message, { cleanup }) };
  if ('holder' in lease) return lease;
  try {
    const journal = await openJournal<ValidationFact>(site.host, `${folder}/${runFiles.journal}`);
    const ends = await recover(site, facts, journal, { cleanup });
    const untold = await journal.close().then(() => undefined, messageOf);
    return untold === undefined ? { ends } : { ends, untold };
  } finally {
    await lease.release();
  }
}

/** The lease, who has it, or why nobody could say. */
async function leaseOf(asking: Asking, run: string): Promise<HeldLease | OtherHolder | OperationError> {
  try {
    for (const holder of [run, asking.holder])
      if (!(await hasDied(asking, holder))) return { holder, namespace: asking.namespace, renewedAt: '' };
    return await takeLease(asking, () => {});
  } catch (error) {
    if (error instanceof OperationError) return error;
    throw error;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
