import { isReady } from '../../src/cluster/pods.ts';
import type { Pod } from '../../src/cluster/resources.ts';
import type { Rehearsal } from '../../src/rehearsal/host.ts';

/** When each of the application's pods was stored and first became ready, by uid, in milliseconds of the virtual clock: no whole seconds, no watch on the way. */
export interface TrueTimes {
  readonly createdAt: ReadonlyMap<string, number>;
  readonly readyAt: ReadonlyMap<string, number>;
}

/** Follows the embedded API server from inside. */
export function trueTimes({ world, host }: Pick<Rehearsal, 'world' | 'host'>): TrueTimes {
  const [createdAt, readyAt] = [new Map<string, number>(), new Map<string, number>()];
  const take = (pod: Pod) => {
    first(createdAt, pod, host.clock.wallAt());
    if (isReady(pod)) first(readyAt, pod, host.clock.wallAt());
  };
  const follow = async () => {
    const watch = world.apiServer.cluster('truth').watch('Pod', { namespace: 'default' }, new AbortController().signal);
    for await (const change of watch) if (change.type !== 'synced') take(change.object);
  };
  void follow();
  return { createdAt, readyAt };
}

function first(times: Map<string, number>, { metadata: { uid = '' } }: Pod, at: number): void {
  if (!times.has(uid)) times.set(uid, at);
}
