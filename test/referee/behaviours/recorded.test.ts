import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observed } from './behaviour.ts';
import { behaviours } from './index.ts';
import { inEmbeddedPlace } from './place.ts';
import { playOne } from './play.ts';
import { recorded } from './recorded.ts';
import { asMeasured, measuredDifferences } from './verdict.ts';

const seeds = ['1', '2'];
for (const [bootSeconds, byName] of Object.entries(recorded()))
  test(`a user measures here what was measured on the real cluster, with machines that start in ${bootSeconds} s`, async (t) => {
    const differing: string[] = [];
    for (const [name, real] of Object.entries(byName)) {
      const behaviour = behaviours.find((one) => one.name === name);
      assert.ok(behaviour, name);
      const play = (seed: string) => inEmbeddedPlace(seed, Number(bootSeconds), (place) => playOne(place, behaviour));
      const seen: Observed[] = [];
      for (const seed of seeds) seen.push(await play(seed));
      const differences = measuredDifferences(real, seen.map(asMeasured)).map(
        (text) => `${name} (${bootSeconds}): ${text}`,
      );
      for (const text of differences) t.diagnostic(text);
      differing.push(...differences);
    }
    assert.deepEqual(differing, []);
  });
