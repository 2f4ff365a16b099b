import type { Clock } from '../outside/clock.ts';
import { randomStreams } from '../outside/random.ts';
import type { ContainerProgram } from '../programs/program.ts';
import type { Setup } from '../setup/setup.ts';
import { createWorld, type SavedWorld, type World } from '../world/world.ts';

export interface RealTimeWorldOptions {
  /** The real clock. */
  readonly clock: Clock;
  readonly seed: string;
  readonly setup: Setup;
  /** A world that was saved at the present instant. */
  readonly saved: SavedWorld;
  readonly program?: ContainerProgram | undefined;
}
export interface RealTimeWorld {
  readonly world: World;
  /** Ends every sleep of the world. */
  close(): void;
}

/** Continues a saved world in real time. */
export async function realTimeWorld({
  clock,
  seed,
  setup,
  saved,
  program,
}: RealTimeWorldOptions): Promise<RealTimeWorld> {
  const ended = new AbortController();
  const endingClock: Clock = { ...clock, sleep: (seconds, signal = ended.signal) => clock.sleep(seconds, signal) };
  // A seed of its own: the numbers that settling drew would give names that are taken.
  const world = createWorld({
    clock: endingClock,
    random: randomStreams(`${seed} in real time`),
    setup,
    saved,
    program,
  });
  await world.start();
  return {
    world,
    close: () => {
      world.close();
      ended.abort();
    },
  };
}
