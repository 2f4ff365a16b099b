import type { Cluster } from '../../cluster/cluster.ts';
import type { Program } from '../machines/images.ts';
import type { Cache } from '../objects/cache.ts';
import type { DelayName } from '../time/delays.ts';

/** What a controller holds: the API's verbs, what they have said so far, and time. */
export interface Site {
  readonly cluster: Cluster;
  readonly cache: Cache;
  /** Wall-clock time, epoch milliseconds. */
  readonly now: () => number;
  /** Calls `work` once, that many seconds from now, unless the world has ended. */
  readonly after: (seconds: number, work: () => void) => void;
  /** The controller's own random numbers in [0, 1). */
  readonly random: () => number;
  /** Seconds of that delay, drawn with the controller's own random numbers. */
  readonly delay: (name: DelayName) => number;
  /** False while the process that the controller is has no live container. */
  readonly running: () => boolean;
  /** A defect of the rehearsal: ends the run. */
  readonly failed: (error: unknown) => void;
}

/** One part of the cluster that acts by itself. Level-triggered: started on any world, it goes on from what it finds. */
export interface Controller {
  readonly name: string;
  /** Starts, and works until the signal is aborted. */
  readonly run: (site: Site, signal: AbortSignal) => void;
}

/** A controller, and the program whose process it is: without one it is part of the managed control plane or of a node. */
export interface Installed {
  readonly controller: Controller;
  readonly program?: Program['name'];
}
