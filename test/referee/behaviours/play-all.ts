import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootSecondsOf, type Kit } from '../kit.ts';
import type { Behaviour, Observed } from './behaviour.ts';
import { behaviours } from './index.ts';
import { inEmbeddedPlace, type Place, realPlace } from './place.ts';
import { playOne } from './play.ts';
import type { Compared } from './verdict.ts';

export type Side = 'real' | 'embedded';

export interface Plan {
  readonly kit: Kit;
  /** `NAME.SIDE.json` is written there: a list of what each run has seen. */
  readonly folder: string;
  readonly sides: readonly Side[];
  /** Absent: all. */
  readonly only: readonly string[] | undefined;
  /** How many embedded clusters a behaviour is played in. */
  readonly seeds: number;
}

/**
 * Plays the behaviours on each side, one after the other; a real run is kept beside the earlier ones, which shows its
 * own noise.
 */
export async function playAll({ kit, folder, sides, only, seeds }: Plan): Promise<readonly Compared[]> {
  const chosen = behaviours.filter(({ name }) => only?.includes(name) ?? true);
  mkdirSync(folder, { recursive: true });
  for (const side of sides) await playOn(side, chosen, { kit, folder, seeds });
  return chosen.map((behaviour) => ({
    behaviour,
    real: readObserved(folder, 'real', behaviour),
    embedded: readObserved(folder, 'embedded', behaviour),
  }));
}

async function playOn(side: Side, chosen: readonly Behaviour[], { kit, folder, seeds }: Omit<Plan, 'sides' | 'only'>) {
  const place = side === 'real' ? await realPlace(kit) : undefined;
  for (const behaviour of chosen) {
    const seen = place === undefined ? await embedded(kit, behaviour, seeds) : [await playOne(place, behaviour)];
    const earlier = side === 'real' ? readObserved(folder, side, behaviour) : [];
    writeFileSync(fileOf(folder, side, behaviour), `${JSON.stringify([...earlier, ...seen], null, 1)}\n`);
    process.stderr.write(`${new Date().toISOString()} ${side} ${behaviour.name} ${JSON.stringify(seen[0])}\n`);
  }
}

async function embedded(kit: Kit, behaviour: Behaviour, seeds: number): Promise<readonly Observed[]> {
  const observed: Observed[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const play = (place: Place) => playOne(place, behaviour);
    observed.push(await inEmbeddedPlace(String(seed), bootSecondsOf(kit), play).catch(ended));
  }
  return observed;
}

/** A request that ends the embedded cluster is a finding too. */
const ended = (error: unknown): Observed => ({
  steps: {},
  withoutSeconds: 0,
  tooFewSeconds: 0,
  leastEndpoints: 0,
  objects: {},
  events: [],
  impossible: `the cluster ended: ${error instanceof Error ? error.message : error}`,
});

const fileOf = (folder: string, side: Side, { name }: Behaviour): string => join(folder, `${name}.${side}.json`);

export function readObserved(folder: string, side: Side, behaviour: Behaviour): readonly Observed[] {
  try {
    return JSON.parse(readFileSync(fileOf(folder, side, behaviour), 'utf8')) as Observed[];
  } catch {
    return [];
  }
}
