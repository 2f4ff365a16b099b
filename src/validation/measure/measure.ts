import type { LoadResult } from '../../host/host.ts';
import type { Outage, WindowDowntime } from '../downtime/downtime.ts';
import type { ReusedSamples } from '../downtime/read-downtime-log.ts';
import type { Expectation } from '../finding.ts';
import type { Observed } from '../observe/observation.ts';
import type { WatchedKind } from '../record/digest.ts';
import { type History, wasWatched } from '../record/history.ts';
import type { Round, TakenNode, Timed } from '../record/records.ts';
import { type ApplicationMeasurement, measureApplication } from './application.ts';
import { type CpuMeasurement, measureCpu } from './cpu.ts';
import { type IngressMeasurement, measureIngress } from './ingress.ts';
import { measureName, type NameMeasurement } from './name.ts';
import { type OutagesBegun, outagesBegun } from './outages-begun.ts';
import { measurePool, type PoolMeasurement } from './pool.ts';

/** What was seen of one scenario. Instants are epoch milliseconds. */
export interface Evidence {
  readonly window: { readonly from: number; readonly to: number };
  /** At least one. */
  readonly rounds: readonly Round[];
  readonly downtime: WindowDowntime;
  /** Those that began in the window. */
  readonly outages: readonly Pick<Outage, 'from' | 'to'>[];
  /** Of the probe that keeps its connection; absent when there was none. */
  readonly reused?: ReusedSamples | undefined;
  readonly history: History;
  readonly notes: readonly Expectation[];
  readonly observed: readonly Timed<Observed>[];
  readonly load?: LoadResult | undefined;
  /** The nodes that the scenario itself took away. */
  readonly taken: readonly TakenNode[];
}

/** The numbers of one scenario (facts 6.7). Those made of the API's timestamps are ± 1 s, their resolution. What was not looked at is absent. */
export interface Measurement {
  readonly downtime: WindowDowntime;
  readonly outagesBegun: OutagesBegun;
  /** What the plan noted that the application lacks: the notes that come with an advice. */
  readonly lacks: readonly string[];
  /** Kept connections: reported beside the downtime, never as part of it. */
  readonly reused?: ReusedSamples | undefined;
  readonly application?: ApplicationMeasurement;
  readonly pool?: PoolMeasurement;
  readonly ingress?: IngressMeasurement;
  readonly load?: LoadResult | undefined;
  readonly cpu?: CpuMeasurement;
  readonly name?: NameMeasurement;
}

/** Pure. Evidence in, numbers out; what was not watched is absent, never zero. */
export function measure(evidence: Evidence, replaces: boolean): Measurement {
  const { history, window } = evidence;
  const watched = (...kinds: readonly WatchedKind[]) => kinds.every((kind) => wasWatched(history, kind, window));
  const { downtime, reused, load, observed } = evidence;
  return {
    ...{ downtime, reused, load, outagesBegun: outagesBegun(evidence), lacks: lacksIn(evidence) },
    ...(watched('Pod', 'EndpointSlice') ? { application: measureApplication(evidence, replaces) } : {}),
    ...(watched('Node', 'NodeClaim', 'Pod') ? { pool: measurePool(evidence, replaces) } : {}),
    ...(watched('IngressPod') ? { ingress: measureIngress(evidence) } : {}),
    ...(observed.some(({ type }) => type === 'name-seen') ? { name: measureName(evidence) } : {}),
    ...(load === undefined ? {} : { cpu: measureCpu(observed, load) }),
  };
}

const lacksIn = ({ notes }: Evidence): readonly string[] => notes.flatMap(({ id, advice }) => (advice ? [id] : []));
