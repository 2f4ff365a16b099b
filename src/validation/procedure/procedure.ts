import { OperationError } from '../../host/errors.ts';
import { askedOnce } from '../actions/consent.ts';
import { undoInOrder } from '../actions/undo-action.ts';
import { requestLimit } from '../observe/request-limit.ts';
import type { OpenRun, Order } from './order.ts';
import { preCheck } from './pre-check.ts';
import type { ScenarioRun } from './run-scenario.ts';
import { runScenarios } from './run-scenarios.ts';
import { withApplication } from './with-application.ts';
import { withJournal } from './with-journal.ts';
import { withLease } from './with-lease.ts';
import { type Watches, withMonitor } from './with-monitor.ts';

/**
 * Section 4.1 of the specification: phases 1 to 4, in order. Judges nothing (phase 5 is `judge`): what happened is in the journal and
 * the downtime log, which are complete when this returns. A signal ends the run early, with everything undone.
 */
export async function procedure(order: Order): Promise<void> {
  await withJournal(order, async (open) => {
    // Phase 1: pre-check.
    const stopping = await preCheck({ ...order, holder: order.run.id }, open.journal, open.interruption.signal);
    if (stopping.length > 0) return;
    await withLease(open, () =>
      // Phase 2: downtime monitor.
      withMonitor(open, async (watches) => {
        const run = scenarioRun(open, watches);
        // Phase 3: apply the node pool and the application, and verify them.
        await withApplication(run, order, async () => {
          const limit = await requestLimit(open.site.cluster, open.settings);
          if (limit !== undefined) watches.monitor.forbidEdges(limit);
          // Phase 4: scenarios.
          await runScenarios(run, order.scenarios, watches.limit, order.onScenarioEnd);
        });
      }),
    );
  });
}

function scenarioRun(open: OpenRun, { monitor, timeline }: Watches): ScenarioRun {
  const { site, settings, journal, interruption } = open;
  let actions = 0;
  return {
    site,
    settings,
    journal,
    monitor,
    timeline,
    signal: interruption.signal,
    onWait: open.onWait,
    undo: undoOrEnd(open),
    allows: askedOnce(open.allows ?? (async () => true)),
    newActionId: () => `action-${++actions}`,
  };
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
