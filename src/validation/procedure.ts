import { OperationError } from '../host/errors.ts';
import type { Signal } from '../host/host.ts';
import type { Journal } from '../journal/journal.ts';
import { openJournal } from '../journal/journal.ts';
import { applyManifests } from './apply.ts';
import type { RunIdentity, ValidationFact } from './events.ts';
import { type Monitor, type MonitorSettings, startMonitor } from './monitor.ts';
import type { Begun } from './perform-action.ts';
import { preCheck } from './pre-check.ts';
import { keepApplied } from './recover.ts';
import type { Run } from './run.ts';
import { runFiles } from './run-folder.ts';
import { runScenario } from './run-scenario.ts';
import type { Scenario, Site } from './scenario.ts';
import type { Settings } from './settings.ts';
import { readSnapshot } from './snapshot.ts';
import { startTimeline, type Timeline } from './timeline.ts';
import { undoAction } from './undo-action.ts';
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
  /** Hears every fact as it is journaled: for progress. */
  readonly heard: (fact: ValidationFact) => void;
  /** Called when a scenario has ended, before the next one starts. */
  readonly scenarioEnded: (name: string) => Promise<void>;
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
  journal.record({ type: 'run-started', tool: { name: 'holdfast', version }, run, scenarios: names, partial });
  const interruption = listenForSignals(site, journal);
  try {
    const stopping = await preCheck(site, settings, journal);
    if (stopping.length === 0) await withMonitor(order, journal, interruption);
  } catch (error) {
    if (!interruption.bySignal()) journal.record({ type: 'run-failed', because: messageOf(error) });
    if (!(error instanceof OperationError)) throw error;
  } finally {
    interruption.stop();
    journal.record({ type: 'run-finished' });
    await journal.close();
  }
}

/** Phase 2: the monitor runs from here to the end, and the watch beside it. */
async function withMonitor(order: Order, journal: Journal<ValidationFact>, interruption: Interruption): Promise<void> {
  const { site, settings, folder } = order;
  const monitor = await startMonitor(site.host, monitorSettings(settings), `${folder}/${runFiles.downtimeLog}`);
  // Without its authoritative log a run must not go on disturbing anything.
  monitor.finished.catch((error: unknown) => interruption.abort(error));
  const timeline = startTimeline(site, settings, journal);
  try {
    await timeline.synced;
    await withApplication(order, createRun(order, { journal, monitor, timeline, signal: interruption.signal }));
  } finally {
    await timeline.stop();
    await monitor.stop();
  }
}

function monitorSettings({ url, monitor }: Settings): MonitorSettings {
  const { interval, timeout, slow, expect, body } = monitor;
  return {
    targets: [{ url, ...(body === null ? {} : { body }) }],
    intervalSeconds: interval,
    timeoutSeconds: timeout,
    slowSeconds: slow,
    expect,
    reused: true,
  };
}

/** Phases 3 and 4. */
async function withApplication(order: Order, run: Run): Promise<void> {
  const { site, journal, settings } = run;
  const applied: Begun[] = [];
  try {
    const before = await readSnapshot(site.cluster, settings);
    await applyManifests(run, (begun) => applied.push(begun));
    const expectations = await verifyApplication(run, before);
    journal.record({ type: 'application-verified', expectations });
    if (expectations.some(({ outcome }) => outcome === 'not-met')) return;
    for (const scenario of order.scenarios) {
      await runScenario(run, scenario);
      await order.scenarioEnded(scenario.name);
    }
  } finally {
    for (const begun of applied.reverse()) {
      if (order.cleanup) await undoAction(site, journal, begun);
      else keepApplied(journal, begun.id);
    }
  }
}

function createRun(
  { site, settings }: Order,
  parts: { journal: Journal<ValidationFact>; monitor: Monitor; timeline: Timeline; signal: AbortSignal },
): Run {
  let actions = 0;
  return { site, settings, ...parts, newActionId: () => `action-${++actions}` };
}

interface Interruption {
  readonly signal: AbortSignal;
  readonly abort: (reason: unknown) => void;
  /** Whether it was the operating system that stopped the run. */
  readonly bySignal: () => boolean;
  readonly stop: () => void;
}

/** The first signal stops acting and starts undoing; a second one changes nothing that is written. */
function listenForSignals({ host }: Site, journal: Journal<ValidationFact>): Interruption {
  const controller = new AbortController();
  let bySignal = false;
  const stop = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], (name: Signal) => {
    if (controller.signal.aborted) return;
    bySignal = true;
    journal.record({ type: 'run-interrupted', signal: name });
    controller.abort(new OperationError({ tried: 'Running', on: 'the procedure', cameBack: `stopped by ${name}` }));
  });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    bySignal: () => bySignal,
    stop,
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
