import type { ClaimDigest, Digests, NodeDigest, PodDigest, WatchedKind } from '../../src/validation/record/digest.ts';
import { watchedKinds } from '../../src/validation/record/digest.ts';
import type { ClusterChanged } from '../../src/validation/record/events.ts';
import { dated, type History } from '../../src/validation/record/history.ts';

const start = Date.parse('2026-11-20T10:00:00.000Z');

/** Seconds after ten o'clock, as an instant and as the API writes it. */
export const at = (seconds: number): number => start + seconds * 1000;
export const stamp = (seconds: number): string =>
  `${new Date(Math.floor(at(seconds) / 1000) * 1000).toISOString().slice(0, 19)}Z`;

export function change<K extends WatchedKind>(
  seconds: number,
  kind: K,
  name: string,
  digest: Digests[K],
  how: ClusterChanged['change'] = 'modified',
): ClusterChanged {
  return {
    at: new Date(at(seconds)).toISOString(),
    type: 'cluster-changed',
    change: how,
    kind,
    name,
    digest,
  } as ClusterChanged;
}

export const history = (
  changes: readonly ClusterChanged[],
  watched: readonly WatchedKind[] = watchedKinds,
): History => ({
  changes: changes.map(dated),
  watched: new Set(watched),
  gaps: [],
});

export function pod(uid: string, over: Partial<PodDigest> = {}): PodDigest {
  return { uid, createdAt: stamp(-100), ready: true, readyAt: stamp(-90), restarts: 0, ...over };
}

export function claim(uid: string, over: Partial<ClaimDigest> = {}): ClaimDigest {
  return {
    uid,
    createdAt: stamp(-600),
    node: `node-${uid}`,
    initializedAt: stamp(-500),
    instanceTerminating: false,
    ...over,
  };
}

export function node(uid: string, over: Partial<NodeDigest> = {}): NodeDigest {
  return { uid, createdAt: stamp(-600), ready: true, cordoned: false, disrupted: false, labels: {}, ...over };
}
