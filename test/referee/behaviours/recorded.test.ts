import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observed } from './behaviour.ts';
import { behaviours } from './index.ts';
import { inEmbeddedPlace } from './place.ts';
import { playOne } from './play.ts';
import { recorded } from './recorded.ts';
import { asMeasured, measuredDifferences } from './verdict.ts';

const seeds = ['1', '2'];
/** What differs, and why; the list may only get shorter. */
const known: Readonly<Record<string, string>> = {
  'expiry (10): old ones gone': 'one run at load 7 to 28, in which a machine took up to twice as long',
  'expiry (10): too few endpoints': 'the same',
  'rollout-missing-image (10): back': 'the same load: a pod took seconds to start',
  'limit (10): a second claim after that':
    'the same: the pod that waits was made so much later, and is looked at every 10 s',
};

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
    const listed = Object.keys(known).filter((one) => one.includes(` (${bootSeconds})`));
    assert.deepEqual(differing.map((text) => text.replace(/: really .*/, '')).sort(), listed.sort());
  });
