import type { Clock } from '../../host/host.ts';
import { randomStreams } from '../../host/random.ts';
import { createWorld, type World } from '../world.ts';
import { type SettledWorldOptions, settledWorld } from './settled-world.ts';

export interface RealTimeWorldOptions extends Omit<SettledWorldOptions, 'endsAt'> {
  /** The real one. */
  readonly clock: Clock;
}
export interface RealTimeWorld {
  readonly world: World;
  /** Nothing of it sleeps any more. */
  close(): void;
}

/** A settled cluster that goes on in real time from now. */
export async function realTimeWorld({ clock, ...options }: RealTimeWorldOptions): Promise<RealTimeWorld> {
  const saved = await settledWorld({ ...options, endsAt: clock.wallAt() });
  const ended = new AbortController();
  const ending: Clock = { ...clock, sleep: (seconds, signal = ended.signal) => clock.sleep(seconds, signal) };
  const { seed, setup } = options;
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
