import type { Node } from '../../cluster/resources.ts';
import type { Settings } from '../settings.ts';
import { type Before, isPoolNode, poolText, readyPods } from './snapshot.ts';

/**
 * The node to disturb: of the pool, with a ready pod of the application (otherwise nothing on the request path would be disturbed), and
 * without a component on which every request depends. The node with most of the application's pods, then the first by name; where several applications share
 * the scenario, first of all the one that holds pods of most of them.
 */
export function chooseVictim(
  before: Before,
  settings: Settings,
): { readonly node: string } | { readonly inconclusive: string } {
  const each = [before.pods, ...(before.beside ?? [])].map((pods) => readyPods({ pods }));
  const counts = ({ metadata }: Node) =>
    each.map((pods) => pods.filter(({ spec }) => spec.nodeName === metadata.name).length);
  const podsOn = (node: Node): number => counts(node).reduce((sum, count) => sum + count, 0);
  const applicationsOn = (node: Node): number => counts(node).filter((count) => count > 0).length;
  const candidates = before.nodes.filter((node) => isPoolNode(node, settings) && podsOn(node) > 0);
  if (candidates.length === 0)
    return { inconclusive: `no node of ${poolText(settings)} holds a ready pod of the application` };
  const safe = candidates.filter((node) => componentsOn(before, node).length === 0);
  const [victim] = safe.sort(
    (a, b) =>
      applicationsOn(b) - applicationsOn(a) ||
      podsOn(b) - podsOn(a) ||
      a.metadata.name.localeCompare(b.metadata.name, 'en'),
  );
  if (victim !== undefined) return { node: victim.metadata.name };
  const blocking = candidates.flatMap((node) =>
    componentsOn(before, node).map(({ component, pod }) => `${pod} (${component}) on ${node.metadata.name}`),
  );
  return { inconclusive: `every node with the application's pods also holds ${blocking.join(', ')}` };
}

/** The same rule for people, for a plan that cannot name a node yet. */
export const victimRule = (settings: Settings): string =>
  `of ${poolText(settings)} the node with most of the application's ready pods, then the first by name, without a pod of the ingress controller, the DNS automation or the autoscaler`;

const componentsOn = (before: Before, { metadata }: Node) =>
  before.components.filter(({ node }) => node === metadata.name);
