import { baselinePackage } from './baseline.ts';
import { loadAverage } from './load-average.ts';
import { buildPackage } from './package.ts';
import { inTurns, medianOf, ratioOf } from './turns.ts';

/**
 * What `holdfast --help` costs beside a Node that does nothing (budget: 2.5 ×) and beside the baseline, by the package
 * as it is installed.
 */
const [program, baseline] = [buildPackage(), baselinePackage()];
const { ours, theirs, nothing } = inTurns(21, {
  nothing: () => ['-e', '0'],
  ours: () => [program, '--help'],
  theirs: () => [baseline, '--help'],
});
for (const figure of ['wallSeconds', 'cpuSeconds'] as const) {
  const seconds = medianOf(ours, figure).toFixed(3);
  const times = `${ratioOf(ours, nothing, figure).toFixed(2)} × node -e 0 (${medianOf(nothing, figure).toFixed(3)} s)`;
  console.log(`--help, ${figure}: ${seconds}, ${times}, ${ratioOf(ours, theirs, figure).toFixed(2)} × the baseline`);
}
console.log(loadAverage());
