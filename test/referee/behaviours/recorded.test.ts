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
  'pod-do-not-disrupt (30): the claim is gone':
    'a kubelet writes the status of its Node once a minute, and Karpenter asks EC2 then whether the instance is gone: 1.4 s after its end in that run, 5.2 s in the others',
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
