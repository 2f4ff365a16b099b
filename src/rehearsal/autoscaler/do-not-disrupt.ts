import type { Node, Pod } from '../../cluster/resources.ts';
import { instantOf } from '../objects/timestamps.ts';
import { durationSeconds } from './durations.ts';
import { words } from './words.ts';

/** Whether the annotation `karpenter.sh/do-not-disrupt` holds now: `true`, or on a pod so long after its start (1.14). */
export function isNotToBeDisrupted(object: Node | Pod, at: number): boolean {
  const said = object.metadata.annotations?.[words.doNotDisrupt];
  if (said === 'true' || said === undefined || object.kind === 'Node') return said === 'true';
  const since = object.status?.startTime ?? object.metadata.creationTimestamp;
  return since !== undefined && at < instantOf(since) + 1000 * durationSeconds(said);
}
