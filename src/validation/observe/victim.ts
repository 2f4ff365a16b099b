import type { Node } from '../../cluster/resources.ts';
import type { Settings } from '../settings.ts';
import { zoneLabel } from './probe-zones.ts';
import { type Before, isPoolNode, poolText, readyPods } from './snapshot.ts';

/**
 * The node to disturb: of the pool, with a ready pod of the application (otherwise nothing on the request path would be
 * disturbed), and without a component on which every request depends. The node with most of the application's pods,
 * then the first by name; where several applications share the scenario, first of all the one that holds pods of most
 * of them.
 */
export function chooseVictim(
  before: Before,
  settings: Settings,
): { readonly node: string } | { readonly inconclusive: string } {
  const held = (node: Node): Held => heldBy(before, [node]);
  const candidates = before.nodes.filter((node) => isPoolNode(node, settings) && held(node).pods > 0);
  if (candidates.length === 0)
    return { inconclusive: `no node of ${poolText(settings)} holds a ready pod of the application` };
  const safe = candidates.filter((node) => componentsOn(before, node).length === 0);
  const [victim] = safe.sort(
    (a, b) => byHeld(held(a), held(b)) || a.metadata.name.localeCompare(b.metadata.name, 'en'),
  );
  if (victim !== undefined) return { node: victim.metadata.name };
  return { inconclusive: `every node with the application's pods also holds ${blockingOn(before, candidates)}` };
}

/** How many of the applications that share the scenario have ready pods on some nodes, and how many pods these are. */
interface Held {
  readonly applications: number;
  readonly pods: number;
}

function heldBy(before: Before, nodes: readonly Node[]): Held {
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  const counts = [before.pods, ...(before.beside ?? [])].map(
    (pods) => readyPods({ pods }).filter(({ spec }) => names.has(spec.nodeName ?? '')).length,
  );
  return {
    applications: counts.filter((count) => count > 0).length,
    pods: counts.reduce((sum, count) => sum + count, 0),
  };
}

const byHeld = (a: Held, b: Held): number => b.applications - a.applications || b.pods - a.pods;

/** A zone with all its nodes of the pool. */
export interface Zone {
  readonly zone: string;
  readonly nodes: readonly string[];
}

/**
 * The zone to disturb, by the same rule: the one with most of the application's ready pods on nodes of the pool; none
 * of its nodes of the pool may hold a component on which every request depends.
 */
export function chooseZone(before: Before, settings: Settings): Zone | { readonly inconclusive: string } {
  const zones = Map.groupBy(
    before.nodes.filter((node) => isPoolNode(node, settings)),
    ({ metadata }) => metadata.labels?.[zoneLabel],
  );
  const found = [...zones].flatMap(([zone, nodes]) => {
    const held = heldBy(before, nodes);
    return zone === undefined || held.pods === 0 ? [] : [{ zone, nodes, ...held }];
  });
  if (found.length === 0)
    return {
      inconclusive: `no node of ${poolText(settings)} that names its zone holds a ready pod of the application`,
    };
  const safe = found.filter(({ nodes }) => nodes.every((node) => componentsOn(before, node).length === 0));
  const [chosen] = safe.toSorted((a, b) => byHeld(a, b) || a.zone.localeCompare(b.zone, 'en'));
  if (chosen !== undefined)
    return { zone: chosen.zone, nodes: chosen.nodes.map(({ metadata }) => metadata.name).toSorted() };
  return {
    inconclusive: `every zone with the application's pods also holds ${blockingOn(
      before,
      found.flatMap(({ nodes }) => nodes),
    )}`,
  };
}

/** The same rule for people, for a plan that cannot name a node yet. */
export const zoneRule = (settings: Settings): string =>
  `the zone in which ${poolText(settings)} has most of the application's ready pods, then the first by name, without a pod of the ingress controller, the DNS automation or the autoscaler on its nodes`;

export const victimRule = (settings: Settings): string =>
  `of ${poolText(settings)} the node with most of the application's ready pods, then the first by name, without a pod of the ingress controller, the DNS automation or the autoscaler`;

const componentsOn = (before: Before, { metadata }: Node) =>
  before.components.filter(({ node }) => node === metadata.name);

const blockingOn = (before: Before, nodes: readonly Node[]): string =>
  nodes
    .flatMap((node) =>
      componentsOn(before, node).map(({ component, pod }) => `${pod} (${component}) on ${node.metadata.name}`),
    )
    .join(', ');
