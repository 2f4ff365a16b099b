import { OperationError } from '../../host/errors.ts';
import { type Journal, openJournal } from '../../journal/journal.ts';
import type { Begun } from '../actions/action.ts';
import { type AllowsDeed, askedOnce } from '../actions/consent.ts';
import { undoInOrder } from '../actions/undo-action.ts';
import { heldByAnother } from '../checks/another-run.ts';
import { takeLease } from '../lease/lease.ts';
import { type DowntimeLimit, downtimeLimit } from '../monitor/abort-after.ts';
import type { Monitor } from '../monitor/monitor.ts';
import { readSnapshot } from '../observe/snapshot.ts';
import { startTimeline, type Timeline } from '../observe/timeline.ts';
import type { RunIdentity, ValidationFact } from '../record/events.ts';
import { runFiles } from '../record/run-folder.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';
import { applyManifests } from './apply.ts';
import { type Interruption, listenForInterruption } from './interruption.ts';
import { lookAtLiveObjects } from './look-at-live-objects.ts';
import { openMonitor } from './open-monitor.ts';
import { preCheck } from './pre-check.ts';
import { keepApplied } from './recover.ts';
import type { Run } from './run.ts';
import { runScenarios } from './run-scenarios.ts';
import { verifyApplication } from './verify.ts';

/** What is to be run, and where its files go. */
export interface Order {
  readonly site: Site;
  readonly settings: Settings;
  /** The run folder; it exists. */
  readonly folder: string;
  readonly run: RunIdentity;
  readonly version: string;
  readonly scenarios: readonly Scenario[];
  /** Whether scenarios were left out on purpose. */
  readonly partial: boolean;
  /** Removes in the end what was applied. */
  readonly cleanup: boolean;
  /** More unexpected downtime at a stretch than this ends the run, and everything is undone. */
  readonly abortAfterSeconds?: number | undefined;
  /** A bastion's log instead of a monitor of our own: a file, or `-` for standard input. */
  readonly downtimeLog?: string | undefined;
  /** Asked before what nothing undoes; without it everything is allowed. */
  readonly allows?: AllowsDeed;
  /** Hears every fact as it is journaled: for progress. */
  readonly heard: (fact: ValidationFact) => void;
  /** Called when a scenario has ended, before the next one starts. */
  readonly scenarioEnded: (scenario: Scenario) => Promise<void>;
}

/** A run whose journal is open. */
interface Begin extends Order {
  readonly journal: Journal<ValidationFact>;
  readonly interruption: Interruption;
}

/**
 * Section 4.1, phases 1 to 4, in order. Judges nothing: what happened is in the journal and the downtime log, complete
 * when this returns. A signal ends it early, with everything undone.
 */
export async function procedure(order: Order): Promise<void> {
  const { site, settings, folder } = order;
  const journal = await openJournal<ValidationFact>(site.host, `${folder}/${runFiles.journal}`, order.heard);
  const { run, version, scenarios, partial } = order;
  const names = scenarios.map(({ name }) => name);
  journal.record({
    type: 'run-started',
    tool: { name: 'holdfast', version },
    run,
    scenarios: names,
    partial,
    cleanup: order.cleanup,
    settings,
  });
  const interruption = listenForInterruption(site, journal);
  try {
    // A run whose journal cannot be written is not begun.
    await journal.flush();
    const about = { site, settings, scenarios, cleanup: order.cleanup, holder: run.id };
    const stopping = await preCheck(about, journal, interruption.signal);
    if (stopping.length === 0) await withLease({ ...order, journal, interruption });
  } catch (error) {
    if (!interruption.isTold()) journal.record({ type: 'run-failed', because: messageOf(error) });
    if (!(error instanceof OperationError)) throw error;
  } finally {
    interruption.stop();
    journal.record({ type: 'run-finished' });
    await journal.close();
  }
}

/** From here on nobody else runs, and an interrupted run is undone before its lease is given back. */
async function withLease(begin: Begin): Promise<void> {
  const { site, settings, run, journal, interruption } = begin;
  const { namespace } = settings;
  const { signal, fail } = interruption;
  const asking = { cluster: site.cluster, clock: site.host.clock, namespace, holder: run.id, signal };
  const lease = await takeLease(asking, fail);
  if ('holder' in lease) {
    journal.record({ type: 'check-finished', mandatory: true, finding: heldByAnother(lease) });
    return;
  }
  try {
    await withMonitor(begin);
  } finally {
    await lease.release();
  }
}

/** Phase 2: the monitor runs from here to the end, and the watch beside it. */
async function withMonitor(begin: Begin): Promise<void> {
  const { site, settings, folder, journal, interruption } = begin;
  const limit = downtimeLimit(begin.abortAfterSeconds, interruption.abort);
  const monitor = await openMonitor(site, settings, folder, interruption, limit.heard, begin.downtimeLog);
  const timeline = startTimeline(site, settings, journal, interruption.fail);
  try {
    // A bastion's log that says nothing is told before anything waits for it.
    await monitor.readyToAct(interruption.signal);
    await timeline.synced;
    await withApplication(begin, createRun(begin, { monitor, timeline }), limit);
  } finally {
    await timeline.stop();
    await monitor.stop();
  }
}

/** Phases 3 and 4. */
async function withApplication(order: Order, run: Run, limit: DowntimeLimit): Promise<void> {
  const { site, journal, settings } = run;
  const applied: Begun[] = [];
  try {
    const before = await readSnapshot(site.cluster, settings);
    const foreseen = await applyManifests(run, before, (begun) => applied.push(begun));
    const expectations = foreseen === undefined ? await verifyApplication(run, before) : [foreseen];
    journal.record({ type: 'application-verified', expectations });
    if (expectations.some(({ outcome }) => outcome === 'not-met')) return;
    await lookAtLiveObjects(run);
    await runScenarios(run, order.scenarios, limit, order.scenarioEnded);
  } finally {
    for (const begun of applied.reverse()) {
      if (order.cleanup) await run.undo(begun);
      else keepApplied(journal, begun.id);
    }
  }
}

function createRun(
  { site, settings, journal, interruption, allows }: Begin,
  parts: { readonly monitor: Monitor; readonly timeline: Timeline },
): Run {
  let actions = 0;
  return {
    site,
    settings,
    journal,
    ...parts,
    signal: interruption.signal,
    undo: undoOrFail(undoInOrder(site, journal, interruption.hurry), interruption),
    allows: askedOnce(allows ?? (async () => true)),
    newActionId: () => `action-${++actions}`,
  };
}

const undoOrFail =
  (undo: Run['undo'], { fail }: Interruption): Run['undo'] =>
  async (begun) => {
    const end = await undo(begun);
    if (end.state === 'failed')
      fail(new OperationError({ tried: `Undoing ${begun.action} of`, on: begun.subject, reason: end.because }));
    return end;
  };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
