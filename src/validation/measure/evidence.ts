import type { Outage } from '../downtime/downtime.ts';
import type { ReusedSamples } from '../downtime/read-downtime-log.ts';
import type { Expectation } from '../finding.ts';
import type { ClockCompared } from '../record/clock-compared.ts';
import type { History } from '../record/history.ts';
import type { LoadRecorded } from '../record/load-recorded.ts';
import type { Observed } from '../record/observed.ts';
import type { Round, TakenNode, Timed } from '../record/records.ts';
import type { WindowDowntime } from '../window-downtime.ts';

/** What is known of one scenario, before it is measured. Instants are epoch milliseconds. */
export interface Evidence {
  readonly window: { readonly from: number; readonly to: number };
  /** At least one. */
  readonly rounds: readonly Round[];
  readonly downtime: WindowDowntime;
  /** Outages that began in the window. */
  readonly outages: readonly Pick<Outage, 'from' | 'to' | 'kinds'>[];
  /** Samples on a kept connection; absent if there are none. */
  readonly reused?: ReusedSamples | undefined;
  readonly history: History;
  readonly notes: readonly Expectation[];
  readonly observed: readonly Timed<Observed>[];
  readonly load?: LoadRecorded | undefined;
  /** The nodes that the scenario itself removed. */
  readonly taken: readonly TakenNode[];
  /** How far the API server's clock was ahead of ours. */
  readonly clock: ClockCompared;
}
