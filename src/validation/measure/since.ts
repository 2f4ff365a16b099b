import type { Digests, WatchedKind } from '../record/digest.ts';
import type { History } from '../record/history.ts';

/** When the watch first brought an object like that, epoch milliseconds of our clock; undefined if it did not. */
export function arrival<K extends WatchedKind>(
  { changes }: History,
  kind: K,
  isIt: (digest: Digests[K]) => boolean,
): number | undefined {
  return changes.find((change) => change.kind === kind && isIt(change.digest as Digests[K]))?.instant;
}

/** When it brought the pod with that Ready condition. */
export const readyArrival = (
  history: History,
  kind: 'Pod' | 'IngressPod',
  uid: string,
  readyAt: string,
): number | undefined => arrival(history, kind, (pod) => pod.uid === uid && pod.readyAt === readyAt);
