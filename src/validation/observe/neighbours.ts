import type { Pod } from '../../cluster/resources.ts';
import type { Expectation } from '../finding.ts';
import { neighboursNote as noteOf } from '../record/neighbours-note.ts';
import type { Before } from './snapshot.ts';

/** Whether a pod belongs to its node and ends with it: a pod of a DaemonSet, or a mirror pod of the kubelet. */
export function isMirrorOrDaemon({ metadata }: Pod): boolean {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller === true);
  return controller?.kind === 'DaemonSet' || metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
}

/**
 * The pods on the node that would have to move, without those of the applications that the scenario is made for:
 * `namespace/name`.
 */
export function neighbours(before: Pick<Before, 'pods' | 'beside' | 'poolPods'>, node: string): readonly string[] {
  const own = new Set([before.pods, ...(before.beside ?? [])].flat().map(({ metadata }) => metadata.uid));
  return before.poolPods
    .filter((pod) => pod.spec.nodeName === node && !own.has(pod.metadata.uid) && !isMirrorOrDaemon(pod))
    .filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}

/** The neighbours as a note: who else is affected when the node goes. */
export function neighboursNote(before: Pick<Before, 'pods' | 'beside' | 'poolPods'>, node: string): Expectation {
  return noteOf(node, neighbours(before, node));
}
