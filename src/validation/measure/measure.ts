import type { ReusedSamples } from '../downtime/read-downtime-log.ts';
import type { WatchedKind } from '../record/digest.ts';
import { wasWatched } from '../record/history.ts';
import type { LoadRecorded } from '../record/load-recorded.ts';
import type { MeasuredSteps } from '../record/prediction.ts';
import type { WindowDowntime } from '../window-downtime.ts';
import { type ApplicationMeasurement, measureApplication } from './application.ts';
import { besideNewNodes } from './beside-new-nodes.ts';
import { type CpuMeasurement, measureCpu } from './cpu.ts';
import type { Evidence } from './evidence.ts';
import { type IngressMeasurement, measureIngress } from './ingress.ts';
import { measureName, type NameMeasurement } from './name.ts';
import { measurePool, type PoolMeasurement } from './pool.ts';
import { measureSteps } from './steps.ts';

/**
 * The numbers of one scenario (docs/facts/measuring.md, "The columns of the result table"). Those from the API's
 * timestamps have bounds. What was not watched is absent.
 */
export interface Measurement {
  readonly downtime: WindowDowntime;
  readonly outagesBegun: OutagesBegun;
  /** The new nodes to which the load balancer sent too early, if all outages began so. */
  readonly besideNewNodes?: readonly string[];
  /** Ids of the plan's notes with an advice: what the application lacks. */
  readonly lacks: readonly string[];
  /** Samples on a kept connection: reported beside the downtime, never as part of it. */
  readonly reused?: ReusedSamples | undefined;
  readonly application?: ApplicationMeasurement;
  readonly pool?: PoolMeasurement;
  readonly ingress?: IngressMeasurement;
  readonly load?: LoadRecorded | undefined;
  readonly cpu?: CpuMeasurement;
  readonly name?: NameMeasurement;
  readonly steps?: MeasuredSteps;
}

/** Measures one scenario. What was not watched is absent, never zero. */
export function measure(evidence: Evidence, replaces: boolean): Measurement {
  const { history, window } = evidence;
  const watched = (...kinds: readonly WatchedKind[]) => kinds.every((kind) => wasWatched(history, kind, window));
  const { downtime, reused, load, observed } = evidence;
  return {
    downtime,
    reused,
    load,
    outagesBegun: outagesBegun(evidence),
    lacks: lacksIn(evidence),
    ...(watched('Node') ? { besideNewNodes: besideNewNodes(evidence) } : {}),
    ...(watched('Pod', 'EndpointSlice') ? { application: measureApplication(evidence, replaces) } : {}),
    ...(watched('Node', 'NodeClaim', 'Pod') ? { pool: measurePool(evidence, replaces) } : {}),
    ...(watched('Node', 'NodeClaim', 'Pod', 'EndpointSlice', 'IngressPod') ? { steps: measureSteps(evidence) } : {}),
    ...(watched('IngressPod') ? { ingress: measureIngress(evidence) } : {}),
    ...(observed.some(({ type }) => type === 'name-seen') ? { name: measureName(evidence) } : {}),
    ...(load === undefined ? {} : { cpu: measureCpu(observed, load) }),
  };
}

const lacksIn = ({ notes }: Evidence): readonly string[] => notes.flatMap(({ id, advice }) => (advice ? [id] : []));

/** How many outages of the window began before the undo of their round, and how many after it. */
interface OutagesBegun {
  readonly beforeUndo: number;
  readonly afterUndo: number;
}

type Begun = Pick<Evidence, 'rounds'> & { readonly outages: readonly Pick<Evidence['outages'][number], 'from'>[] };

export function outagesBegun({ outages, rounds }: Begun): OutagesBegun {
  const starts = outages.map(({ from }) => Date.parse(from));
  const afterUndo = starts.filter((start) => {
    const undoneAt = rounds.findLast(({ openedAt }) => openedAt <= start)?.undoneAt;
    return undoneAt !== undefined && start >= undoneAt;
  }).length;
  return { beforeUndo: starts.length - afterUndo, afterUndo };
}
