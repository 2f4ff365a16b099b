import type { Clock } from '../../host/host.ts';
import { randomStreams } from '../../host/random.ts';
import type { Setup } from '../setup/setup.ts';
import { createWorld, type SavedWorld, type World } from '../world/world.ts';

export interface RealTimeWorldOptions {
  /** The real one. */
  readonly clock: Clock;
  readonly seed: string;
  readonly setup: Setup;
  /** Its present is now. */
  readonly saved: SavedWorld;
}
export interface RealTimeWorld {
  readonly world: World;
  /** Nothing of it sleeps any more. */
  close(): void;
}

/** A settled cluster that goes on in real time from now. */
export async function realTimeWorld({ clock, seed, setup, saved }: RealTimeWorldOptions): Promise<RealTimeWorld> {
  const ended = new AbortController();
  const ending: Clock = { ...clock, sleep: (seconds, signal = ended.signal) => clock.sleep(seconds, signal) };
  // Other numbers than those that the settling drew: time goes on, it does not begin again.
  const world = createWorld({ clock: ending, random: randomStreams(`${seed} in real time`), setup, saved });
  await world.start();
  return {
    world,
    close: () => {
      world.close();
      ended.abort();
    },
  };
}
