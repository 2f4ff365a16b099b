import type { Sample, Target } from '../../host/host.ts';
import { applicationsOf, namesOf } from '../../validation/applications.ts';
import type { OutageKind } from '../../validation/downtime/outage-kind.ts';
import { clocksText } from '../../validation/predict/predicted-text.ts';
import type { NodeDigest, PodDigest } from '../../validation/record/digest.ts';
import type { ActionIntended, ClusterChanged, RunStarted, ValidationFact } from '../../validation/record/events.ts';
import type { Settings } from '../../validation/settings.ts';
import { type LiveDowntime, liveDowntime } from '../terminal/live-downtime.ts';
import { type ProbeStrip, probeStrip } from '../terminal/probe-strip.ts';

/** What is known of a run while it runs. Instants are epoch milliseconds. */
export interface RunView {
  /** Those that are validated; none before the run has started. */
  readonly applications: readonly WatchedApplication[];
  /** Whether it is a cluster that somebody has, and not the embedded one. */
  readonly isReal: boolean;
  /** Every action begun so far, by its id: an undo names only the id. */
  readonly intended: ReadonlyMap<string, ActionIntended>;
  readonly phase: (Phase & { readonly since: number }) | undefined;
  readonly wait: Wait | undefined;
  readonly predicted: string | undefined;
  /** Actions of scenarios that are not undone yet. */
  readonly open: ReadonlyMap<string, ActionIntended>;
  readonly nodes: ReadonlyMap<string, NodeDigest>;
}
/** What is known of one application of the run. */
export interface WatchedApplication {
  readonly name: string;
  readonly settings: Settings;
  readonly pods: ReadonlyMap<string, PodDigest>;
  readonly strip: ProbeStrip;
  /** Undefined before the application was there. */
  readonly downtime: LiveDowntime | undefined;
}
interface Phase {
  /** Of 4.1. */
  readonly number: 1 | 2 | 3 | 4;
  readonly name: string;
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

type Changing = Omit<{ -readonly [K in keyof RunView]: RunView[K] }, 'applications'> & {
  readonly intended: Map<string, ActionIntended>;
  readonly open: Map<string, ActionIntended>;
  readonly nodes: Map<string, NodeDigest>;
  applications: readonly ChangingApplication[];
};
type ChangingApplication = { -readonly [K in keyof WatchedApplication]: WatchedApplication[K] } & {
  readonly pods: Map<string, PodDigest>;
};

/** `titleOf` gives a scenario its name for people. */
export function watchRun(titleOf: (scenario: string) => string): WatchedRun {
  let scenarios: readonly string[] = [];
  let first: string | undefined;
  const view: Changing = {
    applications: [],
    isReal: false,
    intended: new Map(),
    phase: undefined,
    wait: undefined,
    predicted: undefined,
    open: new Map(),
    nodes: new Map(),
  };
  const enter = (phase: Phase, at: string): void => {
    view.phase = { ...phase, since: Date.parse(at) };
    view.wait = undefined;
  };
  return {
    view,
    take(fact) {
      if (fact.type === 'run-started') {
        scenarios = fact.scenarios;
        begin(view, fact);
        enter({ number: 1, name: 'Phase 1: pre-check' }, fact.at);
      }
      const phase = phaseOf(fact, view, scenarios, titleOf);
      if (phase !== undefined) enter(phase, fact.at);
      learn(view, fact);
    },
    probed({ at, connection }, { url }, kind) {
      first ??= url;
      if (connection === 'reused') return;
      const one = probedAt(view, url, first);
      one?.strip.take(at, kind === undefined ? 'good' : kind === 'slow' ? 'slow' : 'bad');
      one?.downtime?.take({ at, ...(kind === undefined ? {} : { kind }) });
    },
    waits(what, atMostSeconds, at) {
      view.wait = { what, atMostSeconds, since: at };
    },
  };
}

function begin(view: Changing, { settings, run }: RunStarted): void {
  const all = applicationsOf(settings);
  const names = namesOf(all);
  view.isReal = run.kind === 'cluster';
  view.applications = all.map((one, index) => ({
    name: names[index] ?? '',
    settings: one,
    pods: new Map(),
    strip: probeStrip(one.monitor.interval),
    downtime: undefined,
  }));
}

/** The only application is probed at whatever address the log of a monitor elsewhere has first. */
function probedAt({ applications }: Changing, url: string, first: string): ChangingApplication | undefined {
  if (applications.length === 1) return url === first ? applications[0] : undefined;
  return applications.find(({ settings }) => settings.url === url);
}

/** Those that a fact concerns: the ones that it names, or all. */
const concerned = ({ applications }: Changing, { of }: ValidationFact): readonly ChangingApplication[] =>
  applications.filter(({ name }) => of === undefined || of.includes(name));

function phaseOf(
  fact: ValidationFact,
  { phase }: RunView,
  scenarios: readonly string[],
  titleOf: (scenario: string) => string,
): Phase | undefined {
  if (fact.type === 'action-intended' && fact.action === 'start-probe')
    return { number: 2, name: 'Phase 2: probes in the cluster' };
  if (fact.type === 'action-intended' && fact.scenario === null && phase?.number !== 3)
    return { number: 3, name: 'Phase 3: apply and verify' };
  if (fact.type !== 'scenario-started') return undefined;
  const number = scenarios.indexOf(fact.scenario) + 1;
  return { number: 4, name: `Phase 4, scenario ${number} of ${scenarios.length}: ${titleOf(fact.scenario)}` };
}

function learn(view: Changing, fact: ValidationFact): void {
  if (fact.type === 'application-verified') count(concerned(view, fact));
  if (fact.type === 'scenario-predicted') view.predicted = clocksText(fact.prediction);
  if (fact.type === 'scenario-finished') view.predicted = undefined;
  if (fact.type === 'action-intended') {
    view.intended.set(fact.id, fact);
    if (fact.scenario !== null) view.open.set(fact.id, fact);
  }
  if (fact.type === 'action-undone' && fact.state !== 'failed') view.open.delete(fact.id);
  if (fact.type === 'cluster-changed') change(view, fact);
}

/** Before an application was there its absence is no downtime. */
function count(applications: readonly ChangingApplication[]): void {
  for (const one of applications)
    one.downtime = liveDowntime(one.settings.monitor.interval, one.settings.monitor.timeout);
}

function change(view: Changing, fact: ClusterChanged): void {
  if (fact.kind === 'Node') keep(view.nodes, fact.name, fact.change, fact.digest);
  if (fact.kind === 'Pod')
    for (const { pods } of concerned(view, fact)) keep(pods, fact.name, fact.change, fact.digest);
}

function keep<T>(objects: Map<string, T>, name: string, change: ClusterChanged['change'], digest: T): void {
  if (change === 'deleted') objects.delete(name);
  else objects.set(name, digest);
}
