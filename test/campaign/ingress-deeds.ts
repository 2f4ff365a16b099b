import { parseArgs } from 'node:util';
import { deeds, played } from '../../packages/embedded-cluster/test/data-plane/ingress-nginx/deeds.ts';
import { isFailed, isSlow, spanOf } from '../../packages/embedded-cluster/test/data-plane/ingress-nginx/witness.ts';

/** Each deed that was recorded of the real ingress-nginx, on many seeds. `ingress-deeds.ts [--seeds 50]`. */
const { values } = parseArgs({ options: { seeds: { type: 'string', default: '50' } } });
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + 1);

for (const deed of deeds) {
  const runs = [];
  let unlike = 0;
  for (const seed of seeds) {
    const seen = await played(deed, seed);
    const { requests, seconds } = spanOf(seen);
    const met = seen.filter((one) => isFailed(one) || isSlow(one));
    runs.push({ seen, met, requests, seconds });
    try {
      deed.agrees(seen);
    } catch (error) {
      unlike += 1;
      console.log(`  seed ${seed}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const all = runs.flatMap(({ met }) => met);
  const share = (count: number) => (all.length === 0 ? 'none' : `${((100 * count) / all.length).toFixed(0)} %`);
  const slow = (least: number, most: number) =>
    share(all.filter((one) => isSlow(one) && one.seconds >= least && one.seconds < most).length);
  const spans = runs.map(({ seconds }) => seconds).filter(Number.isFinite);
  console.log(
    `${deed.name}: ${unlike} of ${seeds.length} seeds unlike; disturbed ${(all.length / seeds.length).toFixed(1)} of ${(runs.reduce((sum, { requests }) => sum + requests, 0) / seeds.length).toFixed(0)} a run, ` +
      `of them failed ${share(all.filter(isFailed).length)}, slow under 4.5 s ${slow(0, 4.5)}, 5 s ${slow(4.5, 9)}, 10 s ${slow(9, 20)}, longer ${slow(20, 1e9)}; ` +
      `span ${spans.length === 0 ? 'none' : `${Math.min(...spans).toFixed(1)} to ${Math.max(...spans).toFixed(1)} s`}`,
  );
}
