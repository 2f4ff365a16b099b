import type { Cluster } from '../kubernetes/cluster.ts';
import type { Program } from '../machines/images.ts';
import type { Cache } from '../objects/cache.ts';
import type { DelayName } from '../time/delays.ts';

/** What a controller works with: the verbs of the API, an informer cache, time and random numbers. */
export interface Site {
  readonly cluster: Cluster;
  readonly cache: Cache;
  /** Wall-clock time, epoch milliseconds. */
  readonly now: () => number;
  /** Calls `work` once, that many seconds from now, unless the world has ended. */
  readonly after: (seconds: number, work: () => void) => void;
  /** The controller's own random numbers in [0, 1). */
  readonly random: () => number;
  /** Draws that delay, in seconds, with the controller's own random numbers. */
  readonly delay: (name: DelayName) => number;
  /** False while no container of the controller's program runs. */
  readonly running: () => boolean;
  /** Ends the run with an error that is a defect of this package. */
  readonly failed: (error: unknown) => void;
}

/**
 * A part of the cluster that acts on its own. Level-triggered: started on a saved world, it continues from the objects
 * there.
 */
export interface Controller {
  readonly name: string;
  /** Starts, and works until the signal is aborted. */
  readonly run: (site: Site, signal: AbortSignal) => void;
}

/**
 * A controller, and the program whose process it is: without one it is part of the managed control plane or of a node.
 */
export interface Installed {
  readonly controller: Controller;
  readonly program?: Program['name'];
}
