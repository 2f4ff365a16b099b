import type { Node, Pod } from '../../cluster/resources.ts';
import { keyOf, placeOf } from '../cache.ts';
import { conditionOf, withConditions } from '../conditions.ts';
import { controllerOf } from '../owners.ts';
import { isFinished, isTerminating } from '../pods.ts';
import { obstacle, type Place, placeOfNode } from '../scheduling/place.ts';
import { crowding, neighbourObstacle } from '../scheduling/spread.ts';
import type { Controller, Site } from '../site.ts';
import { reconciler } from './reconciler.ts';

/** Pod → node (kube-scheduler): requests, selectors, affinity, spread, taints. `packs`: the profile MostAllocated, no spread by itself. */
export function scheduler({ packs }: { readonly packs: boolean }): Controller {
  return reconciler({
    name: 'scheduler',
    watches: {
      Pod: (pod, cache) => (mayMakeRoom(pod) ? [...cache.podsOn('')].map(keyOf) : isWaiting(pod) ? [keyOf(pod)] : []),
      Node: (_node, cache) => [...cache.podsOn('')].map(keyOf),
    },
    reaction: 'scheduling',
    reconcile: async (site, key) => {
      const pod = site.cache.get('Pod', key);
      if (pod === undefined || !isWaiting(pod)) return undefined;
      const places = [...site.cache.list('Node')].map((node) => lazyPlace(node, site));
      const choice = choose(pod, places, site.random, packs);
      if ('place' in choice) await bind(site, pod, choice.place);
      else await explain(site, pod, choice.why);
      return undefined;
    },
  });
}

const isWaiting = (pod: Pod): boolean => pod.spec.nodeName === undefined && !isTerminating(pod) && !isFinished(pod);

const mayMakeRoom = (pod: Pod): boolean => pod.spec.nodeName !== undefined && (isTerminating(pod) || isFinished(pod));

/** What a node has left is counted only when somebody asks. */
function lazyPlace(node: Node, { cache }: Pick<Site, 'cache'>): () => Place {
  let place: Place | undefined;
  return () => {
    place ??= placeOfNode(node, cache.podsOn(node.metadata.name));
    return place;
  };
}

/** kube-scheduler looks no further than this many nodes that would do (numFeasibleNodesToFind). */
const enoughPlaces = 100;

type Choice = { readonly place: Place } | { readonly why: string };

/** The place with the fewest of the pod's like, then the one with the most room; equal ones are drawn. */
export function choose(pod: Pod, places: readonly (() => Place)[], random: () => number, packs = false): Choice {
  const needsAll = pod.spec.topologySpreadConstraints !== undefined || pod.spec.affinity?.podAntiAffinity !== undefined;
  const all = needsAll ? places.map((place) => place()) : [];
  const first = Math.floor(random() * places.length);
  const good: Place[] = [];
  const reasons: string[] = [];
  for (const look of [...places.slice(first), ...places.slice(0, first)]) {
    const place = look();
    const reason = whyNot(pod, place, needsAll ? all : [place]);
    if (reason === undefined) good.push(place);
    else reasons.push(reason);
    if (good.length === enoughPlaces) break;
  }
  const best = leastOf(good, (place) => (packs ? (place.free.cpu ?? 0) : cost(pod, place, all)));
  return best === undefined ? { why: sentence(places.length, reasons) } : { place: best };
}

const whyNot = (pod: Pod, place: Place, all: readonly Place[]): string | undefined =>
  obstacle(pod.spec, place) ?? neighbourObstacle(pod, place, all);

function leastOf<T>(items: readonly T[], costOf: (item: T) => number): T | undefined {
  const costs = items.map(costOf);
  return items[costs.indexOf(Math.min(...costs))];
}

const perSibling = 1000;

function cost(pod: Pod, place: Place, all: readonly Place[]): number {
  const owner = controllerOf(pod)?.uid;
  const siblings = place.pods.filter(
    (other) => owner !== undefined && controllerOf(other)?.uid === owner && !isTerminating(other),
  );
  return perSibling * (siblings.length + crowding(pod, place, all)) - (place.free.cpu ?? 0);
}

function sentence(nodes: number, reasons: readonly string[]): string {
  const count = (reason: string) => reasons.filter((other) => other === reason).length;
  const each = [...new Set(reasons)].map((reason) => `${count(reason)} ${reason}`).sort();
  return `0/${nodes} nodes are available: ${each.join(', ')}.`;
}

/** The condition PodScheduled comes with the binding, as the server does it. */
async function bind(site: Site, pod: Pod, place: Place): Promise<void> {
  await site.cluster.patch('Pod', placeOf(keyOf(pod)), { type: 'merge', value: { spec: { nodeName: place.name } } });
}

async function explain(site: Site, pod: Pod, why: string): Promise<void> {
  if (conditionOf(pod, 'PodScheduled')?.message === why) return;
  const conditions = withConditions(
    pod.status?.conditions,
    [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: why }],
    site.now(),
  );
  await site.cluster.patch(
    'Pod',
    placeOf(keyOf(pod)),
    { type: 'merge', value: { status: { phase: 'Pending', conditions } } },
    { subresource: 'status' },
  );
}
