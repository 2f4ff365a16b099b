import { poll } from '../../cluster/poll.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';
import { readNow, type Snapshot } from './snapshot.ts';

/** Called when a wait begins, with what is awaited and how long at most. */
export type OnWait = (what: string, atMostSeconds: number) => void;

/** What a state of the application and the pool is awaited with. */
export interface Watching {
  readonly site: Site;
  readonly settings: Settings;
  /** The newest view of the watch. */
  readonly timeline: { readonly now: () => Snapshot };
  /** Aborted when the run must not go on. */
  readonly signal: AbortSignal;
  /** Told of every wait, to show progress. */
  readonly onWait?: OnWait | undefined;
}

/**
 * Checks once a second until the condition holds (true) or the limit has passed (false): first on the view of the
 * watch, then on objects that are read anew, because a watch alone is no evidence (docs/facts/kubernetes.md,
 * "Watches"). Throws as `poll` does.
 */
export function pollCluster(
  watching: Watching,
  limitSeconds: number,
  holds: (now: Snapshot) => boolean,
): Promise<boolean> {
  const { site, settings, timeline } = watching;
  return poll(
    watching,
    limitSeconds,
    async () => holds(timeline.now()) && holds(await readNow(site.cluster, settings)),
  );
}
