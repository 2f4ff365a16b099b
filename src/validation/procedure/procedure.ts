import { OperationError } from '../../host/errors.ts';
import { askedOnce } from '../actions/consent.ts';
import { undoInOrder } from '../actions/undo-action.ts';
import { heldByAnother } from '../checks/another-run.ts';
import { takeLease } from '../lease/lease.ts';
import { requestLimit } from '../observe/request-limit.ts';
import { journalOf } from '../record/of-applications.ts';
import { leaseNamespaceOf } from '../settings.ts';
import type { OpenRun, Order } from './order.ts';
import { preCheckAll } from './pre-check.ts';
import type { ScenarioRun } from './run-scenario.ts';
import { runScenarios } from './run-scenarios.ts';
import { withApplications } from './with-applications.ts';
import { withJournal } from './with-journal.ts';
import { type Watched, withMonitor } from './with-monitor.ts';

/**
 * Section 4.1 of the specification: phases 1 to 4, in order. Judges nothing (phase 5 is `judge`): what happened is in
 * the journal and the downtime log, which are complete when this returns. A signal ends the run early, with everything
 * undone.
 */
export async function procedure(order: Order): Promise<void> {
  await withJournal(order, async (open) => {
    // Phase 1: pre-check.
    const stopping = await preCheckAll(open);
    if (stopping.length > 0) return;
    await withLease(open, () =>
      // Phase 2: downtime monitor.
      withMonitor(open, async (watched) => {
        const runs = scenarioRuns(open, watched);
        // Phase 3: apply the node pool and the applications, and verify them.
        await withApplications(runs, order, async () => {
          await forbidEdges(open, watched[0]);
          // Phase 4: scenarios.
          await runScenarios(runs, order.scenarios, order.onScenarioEnd);
        });
      }),
    );
  });
}

/** The faster probes are of all targets, or of none. */
async function forbidEdges({ site, applications }: OpenRun, { monitor }: Watched): Promise<void> {
  for (const { settings } of applications) {
    const limit = await requestLimit(site.cluster, settings);
    if (limit !== undefined) monitor.forbidEdges(limit);
  }
}

/** One run for each application, which share everything but what is watched of each. */
function scenarioRuns(
  open: OpenRun,
  [first, ...further]: readonly [Watched, ...Watched[]],
): readonly [ScenarioRun, ...ScenarioRun[]] {
  const { site, interruption, onWait } = open;
  let actions = 0;
  const shared = {
    site,
    signal: interruption.signal,
    onWait,
    undo: undoOrEnd(open),
    allows: askedOnce(open.allows ?? (async () => true)),
    newActionId: () => `action-${++actions}`,
    ...(further.length === 0 ? {} : { journalFor: (names: readonly string[]) => journalOf(open.journal, names) }),
  };
  return [{ ...shared, ...first }, ...further.map((one) => ({ ...shared, ...one }))];
}

/** An action that cannot be undone ends the run: nothing more is done to such a cluster. */
function undoOrEnd({ site, journal, interruption }: OpenRun): ScenarioRun['undo'] {
  const undo = undoInOrder(site, journal, interruption.hurry);
  return async (begun) => {
    const undone = await undo(begun);
    if (undone.state === 'failed') {
      const { action, subject } = begun;
      interruption.fail(new OperationError({ tried: `Undoing ${action} of`, on: subject, reason: undone.because }));
    }
    return undone;
  };
}

/**
 * Holds the lease while the phases run, so that no other run acts at the same time; it is released after everything is
 * undone. Where another run holds it, that is recorded as a finding and no phase runs. A lost lease ends the run.
 */
async function withLease(
  { site, settings, run, journal, interruption: { signal, fail } }: OpenRun,
  phases: () => Promise<void>,
): Promise<void> {
  const namespace = leaseNamespaceOf(settings);
  const request = { cluster: site.cluster, clock: site.host.clock, namespace, holder: run.id, signal };
  const lease = await takeLease(request, fail);
  if ('holder' in lease) {
    journal.record({ type: 'check-finished', mandatory: true, finding: heldByAnother(lease) });
    return;
  }
  try {
    await phases();
  } finally {
    await lease.release();
  }
}
