import type { Pod } from '../../cluster/resources.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { conditionOf, withConditions } from '../objects/conditions.ts';
import { controllerOf } from '../objects/owners.ts';
import { isFinished, isTerminating } from '../objects/pods.ts';
import { obstacle, type Place, placeOfNode, siblingsIn } from '../scheduling/place.ts';
import { crowding, neighbourObstacle } from '../scheduling/spread.ts';
import type { Controller, Site } from '../setup/site.ts';
import { reconciler } from './reconciler.ts';

/** Pod → node (kube-scheduler): requests, selectors, affinity, spread, taints. `packs`: the profile MostAllocated, no spread by itself. */
export function scheduler({ packs }: { readonly packs: boolean }): Controller {
  /** Until when each pod without a place is left alone, by key. */
  const backOff = new Map<string, number>();
  /** Some pod there keeps others off a whole domain: from then on every node is looked at. */
  let isSomeoneShy = false;
  return reconciler({
    name: 'scheduler',
    watches: {
      Pod: (pod, cache) => {
        isSomeoneShy ||= isShy(pod);
        return mayMakeRoom(pod) ? [...cache.podsOn('')].map(keyOf) : isWaiting(pod) ? [keyOf(pod)] : [];
      },
      Node: (_node, cache) => [...cache.podsOn('')].map(keyOf),
    },
    reaction: 'scheduling',
    reconcile: async (site, key) => {
      const pod = site.cache.get('Pod', key);
      if (pod === undefined || !isWaiting(pod)) return undefined;
      const leftAloneSeconds = ((backOff.get(key) ?? 0) - site.now()) / 1000;
      if (leftAloneSeconds > 0) return leftAloneSeconds;
      const names = [...site.cache.list('Node')].map(({ metadata }) => metadata.name);
      const look = (name: string) => site.cache.ofNode(name, placeOfNode);
      const choice = choose(pod, { names, look, isSomeoneShy }, site.random, packs);
      backOff.delete(key);
      if ('place' in choice) await bind(site, pod, choice.place);
      else {
        backOff.set(key, site.now() + 1000 * site.delay('schedulingRetry'));
        await explain(site, pod, choice.why);
      }
      return undefined;
    },
  });
}

/** Pods of another scheduler, and those whose gates are closed, are none of this one's business. */
function isWaiting(pod: Pod): boolean {
  const { nodeName, schedulerName = ownName, schedulingGates = [] } = pod.spec;
  if (nodeName !== undefined || isTerminating(pod) || isFinished(pod)) return false;
  return schedulerName === ownName && schedulingGates.length === 0;
}

const ownName = 'default-scheduler';

/** It has anti-affinity over more than one node at a time. */
function isShy({ spec }: Pod): boolean {
  const terms = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.some(({ topologyKey }) => topologyKey !== 'kubernetes.io/hostname');
}

const mayMakeRoom = (pod: Pod): boolean => pod.spec.nodeName !== undefined && (isTerminating(pod) || isFinished(pod));

/** kube-scheduler looks no further than this many nodes that would do (numFeasibleNodesToFind). */
const enoughPlaces = 100;

type Choice = { readonly place: Place } | { readonly why: string };

/** What the scheduler sees: the nodes' names, and each one's place when it looks there. */
export interface Sight {
  readonly names: readonly string[];
  readonly look: (name: string) => Place | undefined;
  /** Some pod that is there has anti-affinity over domains of several nodes. */
  readonly isSomeoneShy?: boolean;
}

/** The place with the fewest of the pod's like, then the one with the most room; equal ones are drawn. */
export function choose(pod: Pod, sight: Sight, random: () => number, packs = false): Choice {
  const { topologySpreadConstraints: constraints, affinity } = pod.spec;
  const isSocial = affinity?.podAntiAffinity !== undefined || affinity?.podAffinity !== undefined;
  const needsAll = constraints !== undefined || isSocial || sight.isSomeoneShy === true;
  const all = needsAll ? sight.names.flatMap((name) => sight.look(name) ?? []) : undefined;
  const { good, reasons } = search(sight, random, (place) => whyNot(pod, place, all ?? [place]));
  const best = leastOf(good, packs ? roomIn : costFor(pod, all));
  return best === undefined ? { why: sentence(sight.names.length, reasons) } : { place: best };
}

/** From a random node on, until enough would do. */
function search({ names, look }: Sight, random: () => number, reasonAgainst: (place: Place) => string | undefined) {
  const first = Math.floor(random() * names.length);
  const good: Place[] = [];
  const reasons: string[] = [];
  for (let step = 0; step < names.length && good.length < enoughPlaces; step += 1) {
    const place = look(names[(first + step) % names.length] ?? '');
    const reason = place && reasonAgainst(place);
    if (reason !== undefined) reasons.push(reason);
    else if (place !== undefined) good.push(place);
  }
  return { good, reasons };
}

const whyNot = (pod: Pod, place: Place, all: readonly Place[]): string | undefined =>
  obstacle(pod.spec, place) ?? neighbourObstacle(pod, place, all);

/** The first of the cheapest. */
function leastOf<T>(items: readonly T[], costOf: (item: T) => number): T | undefined {
  let [best, least] = [items[0], Number.POSITIVE_INFINITY];
  for (const item of items) {
    const cost = costOf(item);
    if (cost < least) [best, least] = [item, cost];
  }
  return best;
}

const perSibling = 1000;

function costFor(pod: Pod, all: readonly Place[] | undefined): (place: Place) => number {
  const owner = controllerOf(pod)?.uid ?? '';
  const isSpread = pod.spec.topologySpreadConstraints !== undefined;
  return (place) => {
    const crowd = isSpread && all !== undefined ? crowding(pod, place, all) : 0;
    return perSibling * ((siblingsIn(place).get(owner) ?? 0) + crowd) - roomIn(place);
  };
}

const roomIn = ({ free }: Place): number => free.cpu ?? 0;

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
