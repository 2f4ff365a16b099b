import { ApiError } from '../../cluster/cluster.ts';
import { OperationError } from '../../host/errors.ts';
import type { Seal } from '../../host/seal.ts';
import { type Journal, openJournal, readJournal } from '../../journal/journal.ts';
import { isRemovable } from '../actions/apply-object.ts';
import { actionNamed } from '../actions/index.ts';
import { notUndone, undoInOrder } from '../actions/undo-action.ts';
import { type HeldLease, takeLease } from '../lease/lease.ts';
import type { LeaseRequest } from '../lease/lease-object.ts';
import { hasDied, type OtherHolder } from '../lease/other-holders.ts';
import type { ActionIntended, ActionUndone, ValidationFact } from '../record/events.ts';
import { isValidationFact } from '../record/fact-shape.ts';
import { openIntents } from '../record/open-intents.ts';
import { runFiles } from '../record/run-folder.ts';
import type { Undo } from '../record/undo.ts';
import type { Site } from '../site.ts';

/** A run that was interrupted, as its folder has it. */
export interface InterruptedRun {
  readonly site: Site;
  readonly namespace: string;
  readonly folder: string;
  /** The facts of its journal, read before it was known whether the run has ended. */
  readonly facts: readonly ValidationFact[];
  /** The id of the run, under which it held its lease. */
  readonly run: string;
  readonly cleanup: boolean;
  /** Whether a line that was written meanwhile is one of the run; absent: each is. */
  readonly isOwn?: ((fact: ValidationFact) => boolean) | undefined;
  /** Goes on each line that is added to the journal. */
  readonly seal?: Seal | undefined;
}
/** What became of each action, or the holder of the lease if a run is alive. */
export type RecoveredRun = Ended | OtherHolder;
interface Ended {
  readonly ends: readonly Recovered[];
  /**
   * Why the result is not in the run's journal; a second `recover` then tries every action again, which does no harm.
   */
  readonly unrecorded?: string;
  /** Why no lease kept another `recover` away. */
  readonly withoutLease?: string;
}
/** Stands in for a lease if its namespace is gone. */
interface NoLease extends HeldLease {
  readonly withoutLease: string;
}

/**
 * Undoes what an interrupted run left, and journals it. Undoes nothing, and returns the holder, if that run, another
 * one or another `recover` is alive. If the API server does not answer, every action is returned as not undone.
 */
export async function recoverRun(left: InterruptedRun): Promise<RecoveredRun> {
  const { site, namespace, facts, run, cleanup } = left;
  const request = { cluster: site.cluster, clock: site.host.clock, namespace, holder: `recover of ${run}` };
  const lease = await leaseOf(request, run);
  if (lease instanceof OperationError) return { ends: notReached(facts, lease.message, { cleanup }) };
  if ('holder' in lease) return lease;
  try {
    const ended = await undoAll(left);
    return 'withoutLease' in lease ? { ...ended, withoutLease: lease.withoutLease } : ended;
  } finally {
    await lease.release();
  }
}

/** The lease, its other holder, or why it could not be read. */
async function leaseOf(
  request: LeaseRequest,
  run: string,
): Promise<HeldLease | NoLease | OtherHolder | OperationError> {
  try {
    for (const holder of [run, request.holder])
      if (!(await hasDied(request, holder))) return { holder, namespace: request.namespace, renewedAt: '' };
    return await takeLease({ ...request, died: [run] }, () => {});
  } catch (error) {
    if (isWithoutNamespace(error)) return { withoutLease: error.message, release: async () => {} };
    if (error instanceof OperationError) return error;
    throw error;
  }
}

/**
 * Whether the namespace is gone or being deleted: no lease can be created there, but what the run changed elsewhere
 * must be undone.
 */
function isWithoutNamespace(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { status, details } = error;
  if (status === 404) return details?.kind === 'namespaces';
  return status === 403 && details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}

/** Reads the journal again, because the run may have acted while `recover` waited for the lease. */
async function undoAll({ site, folder, facts, cleanup, seal, isOwn = () => true }: InterruptedRun): Promise<Ended> {
  const path = `${folder}/${runFiles.journal}`;
  const read = await readJournal<ValidationFact>(site.host.files, path, isValidationFact).catch(
    onOperationError(undefined),
  );
  const journal = await openJournal<ValidationFact>(site.host, path, undefined, { seal }).catch((error: unknown) =>
    onOperationError(unwritableJournal(error))(error),
  );
  const ends = await recover(site, read?.facts.filter(isOwn) ?? facts, journal, { cleanup });
  const unrecorded = await journal.close().then(() => undefined, messageOf);
  return unrecorded === undefined ? { ends } : { ends, unrecorded };
}

/** Returns the substitute for an `OperationError`, such as a file that cannot be read; throws every other error. */
const onOperationError =
  <T>(substitute: T) =>
  (error: unknown): T => {
    if (error instanceof OperationError) return substitute;
    throw error;
  };

/** Stands in for a journal that cannot be opened, so that everything is undone all the same. */
function unwritableJournal(error: unknown): Journal<ValidationFact> {
  const refuse = () => Promise.reject(error);
  return { record: () => {}, intend: refuse, flush: refuse, close: refuse };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** An action of an interrupted run, and the result of its undo. */
export interface Recovered {
  readonly intent: ActionIntended;
  readonly undo: Undo;
}

/**
 * Undoes the open actions of a journal, newest first, from its facts alone. Idempotent: a second call finds nothing
 * open. Applied objects stay, as the specification leaves them, unless `cleanup` is set in this call or a later one.
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
    const isKept = stays(intent) && !options.cleanup;
    const end = isKept ? keepApplied(journal, intent.id, { openForCleanup: true }) : await undo(intent);
    recovered.push({ intent, undo: end });
  }
  return recovered;
}

/** The open actions when nothing could be undone, each with the command to type. */
export function notReached(
  facts: readonly ValidationFact[],
  because: string,
  options: { readonly cleanup: boolean },
): readonly Recovered[] {
  return openIntents(facts, options)
    .filter((open) => !stays(open) || (options.cleanup && isRemovable(open.intent)))
    .map((intent) => ({ intent, undo: notUndone(intent, because) }));
}

const stays = ({ action }: ActionIntended): boolean => actionNamed(action)?.staysUnlessCleanup === true;

/** Records that an applied object stays, as the specification leaves it. */
export function keepApplied(
  journal: Pick<Journal<ValidationFact>, 'record'>,
  id: string,
  options: Pick<ActionUndone, 'openForCleanup'> = {},
): Undo {
  const kept = { state: 'kept', because: 'the specification leaves what it applied; --cleanup removes it' } as const;
  journal.record({ type: 'action-undone', id, ...kept, ...options });
  return kept;
}
