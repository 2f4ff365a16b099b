import type { Sample, Target } from '../../host/host.ts';
import type { OutageKind } from '../../validation/downtime/outage-kind.ts';
import { clocksText } from '../../validation/predict/predicted-text.ts';
import type { NodeDigest, PodDigest } from '../../validation/record/digest.ts';
import type { ActionIntended, ClusterChanged, RunStarted, ValidationFact } from '../../validation/record/events.ts';
import type { Settings } from '../../validation/settings.ts';
import { type LiveDowntime, liveDowntime } from '../terminal/live-downtime.ts';
import { type ProbeStrip, probeStrip } from '../terminal/probe-strip.ts';

/** What is known of a run while it runs. Instants are epoch milliseconds. */
export interface RunView {
  readonly settings: Settings | undefined;
  /** Whether it is a cluster that somebody has, and not the embedded one. */
  readonly isReal: boolean;
  /** Every action begun so far, by its id: an undo names only the id. */
  readonly intended: ReadonlyMap<string, ActionIntended>;
  readonly phase: { readonly name: string; readonly since: number } | undefined;
  readonly wait: Wait | undefined;
  readonly predicted: string | undefined;
  /** Actions of scenarios that are not undone yet. */
  readonly open: ReadonlyMap<string, ActionIntended>;
  readonly pods: ReadonlyMap<string, PodDigest>;
  readonly nodes: ReadonlyMap<string, NodeDigest>;
  readonly strip: ProbeStrip | undefined;
  readonly downtime: LiveDowntime | undefined;
}
export interface Wait {
  readonly what: string;
  readonly atMostSeconds: number;
  readonly since: number;
}

/** The view, and how it learns. */
export interface WatchedRun {
  readonly view: RunView;
  take(fact: ValidationFact): void;
  probed(sample: Sample, target: Target, kind: OutageKind | undefined): void;
  waits(what: string, atMostSeconds: number, at: number): void;
}

type Changing = { -readonly [K in keyof RunView]: RunView[K] } & {
  readonly intended: Map<string, ActionIntended>;
  readonly open: Map<string, ActionIntended>;
  readonly pods: Map<string, PodDigest>;
  readonly nodes: Map<string, NodeDigest>;
};

/** `titleOf` gives a scenario its name for people. */
export function watchRun(titleOf: (scenario: string) => string): WatchedRun {
  let scenarios: readonly string[] = [];
  let first: string | undefined;
  const view: Changing = {
    settings: undefined,
    isReal: false,
    intended: new Map(),
    phase: undefined,
    wait: undefined,
    predicted: undefined,
    open: new Map(),
    pods: new Map(),
    nodes: new Map(),
    strip: undefined,
    downtime: undefined,
  };
  const enter = (name: string, at: string): void => {
    view.phase = { name, since: Date.parse(at) };
    view.wait = undefined;
  };
  return {
    view,
    take(fact) {
      if (fact.type === 'run-started') {
        scenarios = fact.scenarios;
        begin(view, fact);
        enter('Phase 1: pre-check', fact.at);
      }
      const phase = phaseOf(fact, view, scenarios, titleOf);
      if (phase !== undefined) enter(phase, fact.at);
      learn(view, fact);
    },
    probed({ at, connection }, { url }, kind) {
      first ??= url;
      if (connection === 'reused' || url !== first) return;
      view.strip?.take(at, kind === undefined ? 'good' : kind === 'slow' ? 'slow' : 'bad');
      view.downtime?.take({ at, ...(kind === undefined ? {} : { kind }) });
    },
    waits(what, atMostSeconds, at) {
      view.wait = { what, atMostSeconds, since: at };
    },
  };
}

function begin(view: Changing, { settings, run }: RunStarted): void {
  view.settings = settings;
  view.isReal = run.kind === 'cluster';
  view.strip = probeStrip(settings.monitor.interval);
}

function downtimeOf(settings: Settings | undefined): LiveDowntime | undefined {
  return settings && liveDowntime(settings.monitor.interval, settings.monitor.timeout);
}

function phaseOf(
  fact: ValidationFact,
  { phase }: RunView,
  scenarios: readonly string[],
  titleOf: (scenario: string) => string,
): string | undefined {
  if (fact.type === 'action-intended' && fact.action === 'start-probe') return 'Phase 2: probes in the cluster';
  if (fact.type === 'action-intended' && fact.scenario === null && !phase?.name.startsWith('Phase 3'))
    return 'Phase 3: apply and verify';
  if (fact.type !== 'scenario-started') return undefined;
  const number = scenarios.indexOf(fact.scenario) + 1;
  return `Phase 4, scenario ${number} of ${scenarios.length}: ${titleOf(fact.scenario)}`;
}

function learn(view: Changing, fact: ValidationFact): void {
  // Before the application was there its absence is no downtime.
  if (fact.type === 'application-verified') view.downtime = downtimeOf(view.settings);
  if (fact.type === 'scenario-predicted') view.predicted = clocksText(fact.prediction);
  if (fact.type === 'scenario-finished') view.predicted = undefined;
  if (fact.type === 'action-intended') {
    view.intended.set(fact.id, fact);
    if (fact.scenario !== null) view.open.set(fact.id, fact);
  }
  if (fact.type === 'action-undone' && fact.state !== 'failed') view.open.delete(fact.id);
  if (fact.type === 'cluster-changed') change(view, fact);
}

function change({ pods, nodes }: Changing, { kind, name, change, digest }: ClusterChanged): void {
  if (kind !== 'Pod' && kind !== 'Node') return;
  const objects = (kind === 'Pod' ? pods : nodes) as Map<string, PodDigest | NodeDigest>;
  if (change === 'deleted') objects.delete(name);
  else objects.set(name, digest);
}
