import { randomStreams } from '../../src/outside/random.ts';
import type { Setup } from '../../src/setup/setup.ts';
import { virtualClock } from '../../src/time/clock.ts';
import { createWorld, type SavedWorld, settlingSeconds, type World } from '../../src/world/world.ts';

export interface SettledWorldOptions {
  readonly seed: string;
  readonly setup: Setup;
  /** Nodes of other teams, with ten pods each. */
  readonly tenantNodes?: number | undefined;
  /** The instant, in epoch milliseconds, at which the world is saved. */
  readonly endsAt: number;
  /** What to create in the settled cluster, and for how many seconds to run it then before it is saved. */
  readonly first?: { readonly seconds: number; readonly make: (world: World) => Promise<unknown> } | undefined;
}

/** Populates and settles a world in virtual time, so that its clock shows `endsAt` at the end, and returns it saved. */
export async function settledWorld(options: SettledWorldOptions): Promise<SavedWorld> {
  const { seed, setup, tenantNodes, endsAt, first } = options;
  const clock = virtualClock(endsAt - 1000 * (settlingSeconds + (first?.seconds ?? 0)));
  const world = createWorld({ clock, random: randomStreams(seed), setup, tenantNodes });
  const settle = async (): Promise<SavedWorld> => {
    await world.start();
    const savedAt = clock.monotonicSeconds() + (first?.seconds ?? 0);
    await first?.make(world);
    await clock.sleep(savedAt - clock.monotonicSeconds());
    // As plain JSON, so that the next world does not share frozen objects with this one.
    return JSON.parse(JSON.stringify(world.save())) as SavedWorld;
  };
  try {
    return await clock.run(() => Promise.race([world.failure, settle()]));
  } finally {
    world.close();
    clock.close();
  }
}
