import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compare, type Difference } from './compare.ts';
import { type Known, known } from './known.ts';
import { played } from './play.ts';
import { scenarios } from './scenarios.ts';
import type { Step } from './steps.ts';

/**
 * A timeline is alike when one seed has its order, and all together its delays: a few are enough, more can only be
 * nearer.
 */
const mostSeeds = 50;
const needed = new Set<Known>();

const recordedOf = (name: string): readonly Step[] =>
  (JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', `${name}.json`), 'utf8')) as [number, string][]).map(
    ([at, what]) => ({ at, what }),
  );

for (const scenario of scenarios)
  test(`${scenario.title}: the recorded conditions, taints and events in the recorded order, with delays within those of the seeds`, async (t) => {
    const { name } = scenario;
    const recorded = recordedOf(name);
    const entryOf = ({ kind, what }: Pick<Difference, 'kind' | 'what'>) =>
      known.find((one) => one.kinds.includes(kind) && one.what.test(what) && one.only?.includes(name) !== false);
    const runs: (readonly Step[])[] = [];
    let differences: readonly Difference[] = [];
    let unknown: readonly Difference[] = [];
    do {
      runs.push(await played(scenario, recorded.at(-1)?.at ?? 0, `timeline-${runs.length}`));
      ({ differences } = compare(recorded, runs, (one) => entryOf(one) !== undefined));
      unknown = differences.filter((one) => entryOf(one) === undefined);
    } while (unknown.length > 0 && runs.length < mostSeeds);
    for (const one of differences) {
      const entry = entryOf(one);
      if (entry !== undefined) needed.add(entry);
    }
    t.diagnostic(`${recorded.length} steps, ${differences.length} known differences, ${runs.length} seeds`);
    assert.deepEqual(
      unknown.map(({ kind, what, detail }) => `${kind}: ${what} (${detail})`),
      [],
    );
  });

test('every known difference is still there', () => {
  const met = known.filter((one) => !needed.has(one));
  assert.deepEqual(
    met.map(({ what }) => String(what)),
    [],
    'take these out of known.ts: no timeline differs so any more',
  );
});
