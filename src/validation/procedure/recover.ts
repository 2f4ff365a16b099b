import { ApiError } from '../../cluster/cluster.ts';
import { OperationError } from '../../host/errors.ts';
import { type Journal, openJournal, readJournal } from '../../journal/journal.ts';
import { isRemovable } from '../actions/apply-object.ts';
import { notUndone, undoInOrder } from '../actions/undo-action.ts';
import { type HeldLease, takeLease } from '../lease/lease.ts';
import type { Asking } from '../lease/lease-object.ts';
import { hasDied, type OtherHolder } from '../lease/other-holders.ts';
import type { ActionIntended, ActionUndone, ValidationFact } from '../record/events.ts';
import { openIntents } from '../record/open-intents.ts';
import { runFiles } from '../record/run-folder.ts';
import type { Undo } from '../record/undo.ts';
import type { Site } from '../site.ts';

/** A run that was interrupted, as its folder tells it. */
export interface InterruptedRun {
  readonly site: Site;
  readonly namespace: string;
  readonly folder: string;
  /** As they were read before it was known whether the run has ended. */
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
  /** Why there was no lease to keep others away. */
  readonly unguarded?: string;
}
/** There is no namespace to hold a lease in. */
interface NoLease extends HeldLease {
  readonly unguarded: string;
}

/** Undoes what the run left, unless it, another one or another `recover` of it is alive. An API server that is away leaves everything open. */
export async function recoverRun(left: InterruptedRun): Promise<RecoveredRun> {
  const { site, namespace, facts, run, cleanup } = left;
  const asking = { cluster: site.cluster, clock: site.host.clock, namespace, holder: `recover of ${run}` };
  const lease = await leaseOf(asking, run);
  if (lease instanceof OperationError) return { ends: notReached(facts, lease.message, { cleanup }) };
  if ('holder' in lease) return lease;
  try {
    const ended = await undoAll(left);
    return 'unguarded' in lease ? { ...ended, unguarded: lease.unguarded } : ended;
  } finally {
    await lease.release();
  }
}

/** The lease, who has it, or why nobody could say. */
async function leaseOf(asking: Asking, run: string): Promise<HeldLease | NoLease | OtherHolder | OperationError> {
  try {
    for (const holder of [run, asking.holder])
      if (!(await hasDied(asking, holder))) return { holder, namespace: asking.namespace, renewedAt: '' };
    return await takeLease({ ...asking, died: [run] }, () => {});
  } catch (error) {
    if (isWithoutNamespace(error)) return { unguarded: error.message, release: async () => {} };
    if (error instanceof OperationError) return error;
    throw error;
  }
}

/** Nothing can be made in a namespace that is gone or going; what the run changed elsewhere is still to be undone. */
function isWithoutNamespace(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { status, details } = error;
  if (status === 404) return details?.kind === 'namespaces';
  return status === 403 && details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}

/** By the journal as it is now that the run has ended: it may have acted while the lease was waited for. */
async function undoAll({ site, folder, facts, cleanup }: InterruptedRun): Promise<Ended> {
  const path = `${folder}/${runFiles.journal}`;
  const read = await readJournal<ValidationFact>(site.host.files, path).catch(unlessBroken(undefined));
  const journal = await openJournal<ValidationFact>(site.host, path).catch((error) => unlessBroken(mute(error))(error));
  const ends = await recover(site, read?.facts ?? facts, journal, { cleanup });
  const untold = await journal.close().then(() => undefined, messageOf);
  return untold === undefined ? { ends } : { ends, untold };
}

/** In its place where a file cannot be had; a defect of the program is thrown on. */
const unlessBroken =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof OperationError) return instead;
    throw error;
  };

/** Of a journal that cannot be opened: everything is undone all the same. */
function mute(error: unknown): Journal<ValidationFact> {
  const refuse = () => Promise.reject(error);
  return { record: () => {}, intend: refuse, flush: refuse, close: refuse };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** One action of an interrupted run, and what became of it. */
export interface Recovered {
  readonly intent: ActionIntended;
  readonly undo: Undo;
}

/**
 * Undoes what an interrupted run left, newest first, with nothing but its journal and the API. Idempotent: a second call
 * finds nothing open. Applied objects stay, as the specification leaves them, unless they are to be cleaned up, then or by a later call.
 */
export async function recover(
  site: Site,
  facts: readonly ValidationFact[],
  journal: Journal<ValidationFact>,
  options: { readonly cleanup: boolean },
): Promise<readonly Recovered[]> {
  const undo = undoInOrder(site, journal);
  const recovered: Recovered[] = [];
  for (const intent of openIntents(facts, options)) {
    const isKept = intent.action === 'apply-object' && !options.cleanup;
    const end = isKept ? keepApplied(journal, intent.id, { openForCleanup: true }) : await undo(intent);
    recovered.push({ intent, undo: end });
  }
  return recovered;
}

/** What is open when the API server or the lease cannot be had: nothing was undone, and what to type for each. */
export function notReached(
  facts: readonly ValidationFact[],
  because: string,
  options: { readonly cleanup: boolean },
): readonly Recovered[] {
  return openIntents(facts, options)
    .filter(({ action, intent }) => action !== 'apply-object' || (options.cleanup && isRemovable(intent)))
    .map((intent) => ({ intent, undo: notUndone(intent, because) }));
}

/** The specification leaves the pool and the application in place. */
export function keepApplied(
  journal: Pick<Journal<ValidationFact>, 'record'>,
  id: string,
  still: Pick<ActionUndone, 'openForCleanup'> = {},
): Undo {
  const kept = { state: 'kept', because: 'the specification leaves what it applied; --cleanup removes it' } as const;
  journal.record({ type: 'action-undone', id, ...kept, ...still });
  return kept;
}
