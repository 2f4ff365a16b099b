import type { Outage, WindowDowntime } from '../downtime/downtime.ts';
import type { ReusedSamples } from '../downtime/read-downtime-log.ts';
import type { ProbeSettings } from './run-result.ts';
/** The downtime log, as a judge reads it. */
export interface LogView {
  readonly outages: readonly Outage[];
  /** By its own word; absent when there is no log. */
  readonly probe?: ProbeSettings;
  readonly downtimeIn: (from: number, to: number) => WindowDowntime;
  /** Undefined when no probe kept its connection. */
  readonly reusedIn?: (from: number, to: number) => ReusedSamples | undefined;
}
