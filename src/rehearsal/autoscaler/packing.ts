import type { NodePool } from '../../cluster/autoscaler.ts';
import type { Pod } from '../../cluster/resources.ts';
import type { PodSpec } from '../../cluster/specs.ts';
import { type Amounts, plus } from '../objects/quantities.ts';
import { obstacle, occupied, type Place, requestsOf } from '../scheduling/place.ts';
import { crowding, neighbourObstacle } from '../scheduling/spread.ts';
import { cheapestThatHolds, type Offering } from './offering.ts';

/** A pool, and what it could buy. */
export interface Source {
  readonly pool: NodePool;
  readonly offerings: readonly Offering[];
  /** Specs of the DaemonSets' pods. */
  readonly daemons: readonly PodSpec[];
}
/** A node to be: the pods that it is for, and the offering that it would be now. */
export interface Plan {
  readonly pool: NodePool;
  readonly pods: readonly Pod[];
  readonly offering: Offering;
  readonly requests: Amounts;
}

interface Sketch {
  readonly source: Source;
  readonly place: Place;
  readonly requests: Amounts;
  readonly pods: readonly Pod[];
  readonly offering: Offering;
}
interface Packing {
  readonly places: readonly Place[];
  readonly sketches: readonly Sketch[];
  readonly unplaced: readonly Pod[];
}

/**
 * Which nodes have to be bought so that the pods find room: first on what is there, then on what is planned already,
 * then on a new node of the first pool that can hold them (provisioning/scheduling/scheduler.go). Pure.
 */
export function pack(
  pods: readonly Pod[],
  places: readonly Place[],
  sources: readonly Source[],
): { readonly plans: readonly Plan[]; readonly unplaced: readonly Pod[]; readonly places: readonly Place[] } {
  const largestFirst = pods
    .map(asSeenHere)
    .sort((a, b) => (requestsOf(b.spec).cpu ?? 0) - (requestsOf(a.spec).cpu ?? 0));
  let packing: Packing = { places, sketches: [], unplaced: [] };
  for (const pod of largestFirst) packing = withPod(packing, pod, sources);
  const plans = packing.sketches.map(({ source, pods: held, offering, requests }) => ({
    pool: source.pool,
    pods: held,
    offering,
    requests,
  }));
  return { plans, unplaced: packing.unplaced, places: packing.places };
}

const seen = new WeakMap<Pod, Pod>();

/** A host that is still empty can always be bought: over hosts the emptiest domain counts as empty (topologygroup.go). */
function asSeenHere(pod: Pod): Pod {
  const constraints = pod.spec.topologySpreadConstraints;
  if (constraints === undefined) return pod;
  const minDomains = Number.MAX_SAFE_INTEGER;
  const topologySpreadConstraints = constraints.map((one) =>
    one.topologyKey === 'kubernetes.io/hostname' ? { ...one, minDomains } : one,
  );
  const copy = seen.get(pod) ?? { ...pod, spec: { ...pod.spec, topologySpreadConstraints } };
  seen.set(pod, copy);
  return copy;
}

function withPod(packing: Packing, pod: Pod, sources: readonly Source[]): Packing {
  const all = [...packing.places, ...packing.sketches.map(({ place }) => place)];
  const there = packing.places.find((place) => isFree(pod, place, all));
  if (there !== undefined) {
    return { ...packing, places: packing.places.map((place) => (place === there ? occupied(place, pod) : place)) };
  }
  for (const sketch of packing.sketches) {
    const grown = holding(sketch, pod, all);
    if (grown !== undefined)
      return { ...packing, sketches: packing.sketches.map((one) => (one === sketch ? grown : one)) };
  }
  for (const source of sources) {
    const fresh = newSketch(source, pod, all, packing.sketches.length);
    if (fresh !== undefined) return { ...packing, sketches: [...packing.sketches, fresh] };
  }
  return { ...packing, unplaced: [...packing.unplaced, pod] };
}

const isFree = (pod: Pod, place: Place, all: readonly Place[]): boolean =>
  obstacle(pod.spec, place) === undefined && neighbourObstacle(pod, place, all) === undefined;

/** A planned node with one pod more: it may have to become a larger one, in the same zone. */
function holding(sketch: Sketch, pod: Pod, all: readonly Place[]): Sketch | undefined {
  const requests = plus(sketch.requests, requestsOf(pod.spec));
  const offering = cheapestThatHolds(inZone(sketch.source.offerings, sketch.offering.zone), requests);
  if (offering === undefined || !isFree(pod, sketch.place, all)) return undefined;
  return { ...sketch, requests, offering, pods: [...sketch.pods, pod], place: occupied(sketch.place, pod) };
}

/** In the zone where the pod is least crowded with its like, as far as it cares; else in the first. */
function newSketch(source: Source, pod: Pod, all: readonly Place[], ordinal: number): Sketch | undefined {
  const candidates = [...new Set(source.offerings.map(({ zone }) => zone))]
    .flatMap((zone) => emptySketch(source, inZone(source.offerings, zone), ordinal))
    .map((sketch) => ({ sketch, around: [...all, sketch.place] }))
    .sort((a, b) => crowding(pod, a.sketch.place, a.around) - crowding(pod, b.sketch.place, b.around));
  for (const { sketch, around } of candidates) {
    const filled = holding(sketch, pod, around);
    if (filled !== undefined) return filled;
  }
  return undefined;
}

/** The room that the largest offering would have; which one it becomes follows from what it has to hold. */
function emptySketch(source: Source, offerings: readonly Offering[], ordinal: number): readonly Sketch[] {
  const largest = offerings.at(-1);
  if (largest === undefined) return [];
  const name = `planned-${source.pool.metadata.name}-${ordinal}`;
  const labels = { ...largest.labels, 'kubernetes.io/hostname': name };
  const taints = source.pool.spec.template.spec.taints ?? [];
  const bare: Place = { name, labels, taints, free: largest.allocatable, pods: [] };
  const daemons = source.daemons.filter((spec) => obstacle(spec, bare) === undefined);
  const requests = daemons.reduce((sum, spec) => plus(sum, requestsOf(spec)), {} as Amounts);
  return [{ source, place: { ...bare, free: plus(bare.free, requests, -1) }, requests, pods: [], offering: largest }];
}

const inZone = (offerings: readonly Offering[], zone: string): readonly Offering[] =>
  offerings.filter((offering) => offering.zone === zone);
