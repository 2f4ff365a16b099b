import type { Episode, Outage } from '../downtime/downtime.ts';
import type { ReusedSamples } from '../downtime/read-downtime-log.ts';
import type { VantageRule } from '../downtime/vantage-rule.ts';
import type { SeenBy, SeenEpisode } from '../downtime/vantages.ts';
import type { WindowDowntime } from '../window-downtime.ts';
import type { ProbeSettings, ReadVantage } from './run-result.ts';

/** What a run is judged by of its downtime log. Instants are epoch milliseconds. */
export interface LogView {
  readonly outages: readonly (Outage & Partial<SeenBy>)[];
  readonly episodes: readonly (Episode & Partial<SeenBy>)[];
  /** From the log's header; absent without a log. */
  readonly probe?: ProbeSettings;
  /** The first that the log names. */
  readonly target?: string | undefined;
  /** Of its times, the coarsest of several. */
  readonly resolutionSeconds?: number | undefined;
  /** Where several probers watched. */
  readonly vantages?: readonly ReadVantage[];
  readonly rule?: VantageRule;
  /** Outages that some of them saw and that do not count by the rule. */
  readonly dismissed?: readonly SeenEpisode[];
  readonly downtimeIn: (from: number, to: number) => WindowDowntime;
  /** Undefined without samples on a kept connection. */
  readonly reusedIn?: (from: number, to: number) => ReusedSamples | undefined;
}
