import type { Pod } from '../../cluster/resources.ts';
import type { Site } from '../site.ts';
import { indexAnnotation, selectorOf } from './load-job.ts';

/** A pod of the load as it was seen last. */
export interface SeenPod {
  readonly pod: Pod;
  /** The API has it no more. */
  readonly isGone: boolean;
}

/** The pods of one load, by one watch: it tells of every state and every end, however many there are. */
export interface FollowedPods {
  readonly all: () => Iterable<SeenPod>;
  readonly of: (uid: string) => SeenPod | undefined;
  /** Waits until it holds (true), or until the time is over (false). */
  readonly until: (holds: () => boolean, withinSeconds: number) => Promise<boolean>;
}

/** Follows the pods until the signal is aborted. */
export function followPods({ host: { clock }, cluster }: Site, at: Place, signal: AbortSignal): FollowedPods {
  const seen = new Map<string, SeenPod>();
  let failure: unknown;
  const follow = async () => {
    const where = { namespace: at.namespace, labelSelector: selectorOf(at.name) };
    for await (const change of cluster.watch('Pod', where, signal)) {
      if (change.type === 'synced') continue;
      seen.set(change.object.metadata.uid ?? '', { pod: change.object, isGone: change.type === 'deleted' });
    }
  };
  follow().catch((error: unknown) => {
    failure = error;
  });
  return {
    all: () => seen.values(),
    of: (uid) => seen.get(uid),
    async until(holds, withinSeconds) {
      const endsAt = clock.monotonicSeconds() + withinSeconds;
      while (!holds()) {
        if (failure !== undefined && !signal.aborted) throw failure;
        if (clock.monotonicSeconds() >= endsAt) return false;
        await clock.sleep(1, signal);
      }
      return true;
    },
  };
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

export const uidOf = ({ metadata: { uid = '' } }: Pod): string => uid;
export const indexOf = ({ metadata: { annotations = {} } }: Pod): number => Number(annotations[indexAnnotation]);
