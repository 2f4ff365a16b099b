import type { Pod } from '../kubernetes/resources.ts';
import type { PersistentVolumeClaim } from '../kubernetes/volumes.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { selectedNode } from '../objects/claims.ts';
import { matchingVolume } from '../scheduling/matching-volume.ts';
import { withPods } from '../scheduling/nominated.ts';
import type { Snapshot } from '../scheduling/schedule.ts';
import { volumeNeedsOf } from '../scheduling/volumes.ts';
import type { Site } from '../setup/site.ts';

/** A node that a pod waits on until its claims are bound. */
interface Reservation {
  readonly pod: Pod;
  readonly nodeName: string;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

type Chosen = Pick<NonNullable<ReturnType<Snapshot['nodeInfo']>>, 'name' | 'labels'>;

/**
 * The pods that kube-scheduler has placed and not yet bound, because a volume is still being made for them on that node
 * (volumebinding, Reserve and PreBind).
 */
export interface Reservations {
  /** Asks for the volumes of the unbound claims there; how soon to look again, undefined where no claim is unbound. */
  readonly reserve: (
    site: Site,
    pod: Pod,
    node: Chosen,
    toBind: readonly PersistentVolumeClaim[],
  ) => Promise<number | undefined>;
  /** The node to bind the pod to, or how long it waits on; undefined when it has to be placed anew. */
  readonly resume: (
    site: Site,
    pod: Pod,
  ) => Promise<{ readonly node: string } | { readonly againSeconds: number } | undefined>;
  readonly release: (key: string) => void;
  /** The nodes with the pods that wait on them, other than this one. */
  readonly withReserved: (snapshot: Snapshot, pod: Pod) => Snapshot;
}

/** VolumeBindingArgs.bindTimeoutSeconds. */
const bindTimeoutSeconds = 600;

export function reservations(): Reservations {
  const held = new Map<string, Reservation>();
  return {
    reserve: async (site, pod, node, toBind) => {
      if (toBind.length === 0) return undefined;
      held.set(keyOf(pod), { pod, nodeName: node.name, endsAt: site.now() + 1000 * bindTimeoutSeconds });
      for (const claim of toBind) await request(site, claim, node);
      return bindTimeoutSeconds;
    },
    resume: async (site, pod) => {
      const reservation = held.get(keyOf(pod));
      if (reservation === undefined) return undefined;
      const { nodeName, endsAt } = reservation;
      const needs = volumeNeedsOf(pod, site.cache);
      const isKept =
        reservation.pod.metadata.uid === pod.metadata.uid &&
        needs?.refusal === undefined &&
        site.now() < endsAt &&
        site.cache.get('Node', nodeName) !== undefined;
      const isMade = isKept && needs?.toBind.length === 0;
      if (isKept && !isMade) return { againSeconds: (endsAt - site.now()) / 1000 };
      held.delete(keyOf(pod));
      return isMade ? { node: nodeName } : undefined;
    },
    release: (key) => void held.delete(key),
    withReserved: (snapshot, pod) =>
      held.size === 0
        ? snapshot
        : withPods(
            snapshot,
            [...held.values()].map((one) => one.pod).filter((one) => keyOf(one) !== keyOf(pod)),
            (one) => held.get(keyOf(one))?.nodeName,
          ),
  };
}

/**
 * A volume that is there is reserved for the claim; else the provisioner learns the node from the claim
 * (BindPodVolumes).
 */
async function request(site: Site, claim: PersistentVolumeClaim, node: Chosen): Promise<void> {
  const volume = matchingVolume(claim, site.cache.list('PersistentVolume'), node.labels);
  if (volume === undefined) {
    const value = { metadata: { annotations: { [selectedNode]: node.name } } };
    await site.cluster.patch('PersistentVolumeClaim', placeOf(keyOf(claim)), { type: 'merge', value });
    return;
  }
  const { namespace = 'default', name, uid = '' } = claim.metadata;
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid };
  const at = { name: volume.metadata.name };
  await site.cluster.patch('PersistentVolume', at, { type: 'merge', value: { spec: { claimRef } } });
}
