import type { Node, Pod } from '../kubernetes/resources.ts';
import { instantOf } from '../objects/timestamps.ts';
import { durationSeconds } from './durations.ts';
import { wellKnown } from './well-known.ts';

/**
 * Whether the annotation `karpenter.sh/do-not-disrupt` applies now: `true`, or on a pod a duration since its start
 * (Karpenter 1.14).
 */
export function hasDoNotDisrupt(object: Node | Pod, at: number): boolean {
  const value = object.metadata.annotations?.[wellKnown.doNotDisrupt];
  if (value === 'true' || value === undefined || object.kind === 'Node') return value === 'true';
  const since = object.status?.startTime ?? object.metadata.creationTimestamp;
  return since !== undefined && at < instantOf(since) + 1000 * durationSeconds(value);
}
