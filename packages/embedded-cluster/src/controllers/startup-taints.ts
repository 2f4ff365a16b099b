import type { Node } from '../kubernetes/resources.ts';
import { conditionOf } from '../objects/conditions.ts';
import { instantOf } from '../objects/timestamps.ts';
import type { Site } from '../setup/site.ts';

/**
 * Removes the startup taints of a Ready node when their time has come; until then the seconds that are left. What
 * removes them in a real cluster, such as an agent of the network or of volumes, is no program of this one.
 */
export async function removeStartupTaints(
  site: Site,
  startup: readonly string[],
  node: Node,
): Promise<number | undefined> {
  const taints = node.spec?.taints ?? [];
  const left = taints.filter(({ key }) => !startup.includes(key));
  if (left.length === taints.length) return undefined;
  const readyAt = instantOf(conditionOf(node, 'Ready')?.lastTransitionTime ?? '');
  const leftSeconds = (readyAt - site.now()) / 1000 + site.delay('startupTaints');
  if (leftSeconds > 0) return leftSeconds;
  await site.cluster.patch('Node', { name: node.metadata.name }, { type: 'merge', value: { spec: { taints: left } } });
  return undefined;
}
