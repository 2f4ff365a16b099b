import type { LoadResult } from '../../host/host.ts';
import type { WindowDowntime } from '../downtime/downtime.ts';
import type { ReusedSamples } from '../downtime/read-downtime-log.ts';
import type { WatchedKind } from '../record/digest.ts';
import { wasWatched } from '../record/history.ts';
import { type ApplicationMeasurement, measureApplication } from './application.ts';
import { type CpuMeasurement, measureCpu } from './cpu.ts';
import type { Evidence } from './evidence.ts';
import { type IngressMeasurement, measureIngress } from './ingress.ts';
import { measureName, type NameMeasurement } from './name.ts';
import { type OutagesBegun, outagesBegun } from './outages-begun.ts';
import { measurePool, type PoolMeasurement } from './pool.ts';

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
