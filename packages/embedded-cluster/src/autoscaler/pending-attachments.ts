import type { VolumeAttachment } from '../kubernetes/volumes.ts';
import type { Cache } from '../objects/cache.ts';
import { volumesOf } from '../objects/claims.ts';
import { isDrainable } from './draining.ts';

/**
 * The attachments that a machine waits for before it is terminated: all of its node, but for the volumes of pods that
 * are not drained (karpenter, node/termination/controller.go, pendingVolumeAttachments;
 * https://karpenter.sh/docs/concepts/disruption/#termination-controller).
 */
export function pendingAttachments(nodeName: string, cache: Cache, at: number): readonly VolumeAttachment[] {
  const there = [...cache.list('VolumeAttachment')].filter(({ spec }) => spec.nodeName === nodeName);
  if (there.length === 0) return there;
  const staying = [...cache.podsOn(nodeName)].filter((pod) => !isDrainable(pod, at));
  const kept = new Set(staying.flatMap((pod) => volumesOf(pod, cache)).map(({ metadata }) => metadata.name));
  return there.filter(({ spec: { source } }) => {
    const { persistentVolumeName: volume } = source;
    return volume !== undefined && !kept.has(volume);
  });
}
