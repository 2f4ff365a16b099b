import { randomStreams } from '../../host/random.ts';
import type { Setup } from '../setup/setup.ts';
import { virtualClock } from '../time/clock.ts';
import { createWorld, type SavedWorld, settlingSeconds, type World } from '../world/world.ts';

export interface SettledWorldOptions {
  readonly seed: string;
  readonly setup: Setup;
  /** Nodes of other teams, with ten pods each. */
  readonly tenantNodes?: number | undefined;
  /** Epoch milliseconds: the instant at which it is saved. */
  readonly endsAt: number;
  /** What is made in the settled cluster, and how long it then runs before it is saved. */
  readonly first?: { readonly seconds: number; readonly make: (world: World) => Promise<unknown> } | undefined;
}

/** A cluster that has run for a while when it is looked at first: lived in virtual time so that its present is `endsAt`. */
export async function settledWorld(options: SettledWorldOptions): Promise<SavedWorld> {
  const { seed, setup, tenantNodes, endsAt, first } = options;
  const clock = virtualClock(endsAt - 1000 * (settlingSeconds + (first?.seconds ?? 0)));
  const world = createWorld({ clock, random: randomStreams(seed), setup, tenantNodes });
  const live = async (): Promise<SavedWorld> => {
    await world.start();
    const savedAt = clock.monotonicSeconds() + (first?.seconds ?? 0);
    await first?.make(world);
    await clock.sleep(savedAt - clock.monotonicSeconds());
    // As plain JSON: what is shared and frozen in this world is not in the next.
    return JSON.parse(JSON.stringify(world.save())) as SavedWorld;
  };
  try {
    return await clock.run(() => Promise.race([world.failure, live()]));
  } finally {
    world.close();
    clock.close();
  }
}
