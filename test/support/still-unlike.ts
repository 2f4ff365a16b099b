import { rehearsalHost } from '../../src/rehearsal/host.ts';
import { quietHost } from './quiet-host.ts';
import { differences, type Expected, pictureOf } from './world-picture.ts';

/** The slowest recovery is a new node for a killed one, with its pods. */
const restWithinSeconds = 900;
const lookEverySeconds = 15;

/** What is not as before in a saved world after its controllers have had enough time and nobody else acted. */
export async function stillUnlike(world: string, seed: number, expected: Expected): Promise<readonly string[]> {
  const later = rehearsalHost({ seed: String(seed), real: quietHost(), saved: JSON.parse(world) });
  const { clock } = later.host;
  return later.run(async () => {
    for (let seconds = 0; ; seconds += lookEverySeconds) {
      const found = differences(await pictureOf(later.world, clock.wallAt()), expected);
      if (found.length === 0 || seconds >= restWithinSeconds) return found;
      await clock.sleep(lookEverySeconds);
    }
  });
}
