import type { Seal } from '../../host/seal.ts';
import type { Journal, Untimed } from '../../journal/journal.ts';
import type { AllowsAction } from '../actions/consent.ts';
import type { VantageRule } from '../downtime/vantage-rule.ts';
import type { OnProbe } from '../monitor/monitor-settings.ts';
import type { OnWait } from '../observe/poll-cluster.ts';
import type { ManifestsRehearsed, RunIdentity, ValidationFact } from '../record/events.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';
import type { Interruption } from './interruption.ts';

/** What is to be run, and where its files go. */
export interface Order {
  readonly site: Site;
  readonly settings: Settings;
  /** The run folder; it exists. */
  readonly folder: string;
  /** Goes on each line of the journal. */
  readonly seal?: Seal | undefined;
  readonly run: RunIdentity;
  /** What is rehearsed, if it is somebody's own: of each application, in their order. */
  readonly manifests?: readonly Untimed<ManifestsRehearsed>[] | undefined;
  readonly version: string;
  readonly scenarios: readonly Scenario[];
  /** Whether scenarios were left out on purpose. */
  readonly partial: boolean;
  /** Whether the objects that the run applied are removed at its end. */
  readonly cleanup: boolean;
  /** Seconds of continuous downtime, beyond what is predicted, after which the run stops and undoes everything. */
  readonly abortAfterSeconds?: number | undefined;
  /** The logs of monitors elsewhere, used instead of an own monitor: files, or `-` for standard input. */
  readonly downtimeLogs?: readonly string[] | undefined;
  /** With several of them: when the application counts as down. */
  readonly rule?: VantageRule | undefined;
  /** Asked before an irreversible action; without it every action is allowed. */
  readonly allows?: AllowsAction;
  /** Called with every fact as it is journaled, to show progress. */
  readonly onFact: (fact: ValidationFact) => void;
  /** Called with every probe of the application as it ends, and with every wait as it begins, to show progress. */
  readonly onSample?: OnProbe | undefined;
  readonly onWait?: OnWait | undefined;
  /** Called when a scenario has ended, before the next one starts. */
  readonly onScenarioEnd: (scenario: Scenario) => Promise<void>;
}

/** An application of a run, with its settings as if it were the only one. */
export interface RunApplication {
  /** Among the others of the run. */
  readonly name: string;
  readonly settings: Settings;
  /** The journal for this application alone; in a run of one application, the journal of the run. */
  readonly journal: Journal<ValidationFact>;
}

/** An order whose journal is open. */
export interface OpenRun extends Order {
  readonly journal: Journal<ValidationFact>;
  readonly applications: readonly [RunApplication, ...RunApplication[]];
  readonly interruption: Interruption;
}
