import { parseArgs } from 'node:util';
import { doorDeeds, doorPlayed, isBad } from '../../packages/embedded-cluster/test/data-plane/front-doors/deeds.ts';
import { isSlow, lastAt } from '../../packages/embedded-cluster/test/data-plane/ingress-nginx/witness.ts';

/** Each deed of docs/front-doors.md that was measured, on many seeds. `front-door-deeds.ts [--seeds 50]`. */
const { values } = parseArgs({ options: { seeds: { type: 'string', default: '50' } } });
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + 1);

for (const deed of doorDeeds) {
  const runs = [];
  let unlike = 0;
  for (const seed of seeds) {
    const seen = await doorPlayed(deed, seed);
    const bad = seen.filter(isBad);
    runs.push({
      bad: bad.length,
      of: seen.length,
      slow: seen.filter((one) => !isBad(one) && isSlow(one)).length,
      bads: bad,
    });
    try {
      deed.agrees(seen);
    } catch (error) {
      unlike += 1;
      console.log(`  seed ${seed}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const range = (numbers: readonly number[]) => `${Math.min(...numbers)} to ${Math.max(...numbers)}`;
  const last = Math.max(0, ...runs.map(({ bads }) => lastAt(bads)).filter(Number.isFinite));
  console.log(
    `${deed.door}: ${deed.name}: ${unlike} of ${seeds.length} seeds unlike; bad ${range(runs.map(({ bad }) => bad))} of ` +
      `${range(runs.map(({ of }) => of))}, slow ${range(runs.map(({ slow }) => slow))}, last bad one at ${last.toFixed(1)} s`,
  );
}
