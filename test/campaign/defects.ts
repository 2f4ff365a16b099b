import { parseArgs } from 'node:util';
import { assertShown, healthyName, shownBy, strengthOf } from '../support/defect-expectations.ts';
import { rehearse } from '../support/rehearse.ts';

/**
 * The healthy cluster and every defect on many seeds. `defects.ts [--seeds 200] [--from 1] [NAME…]`; the first seeds of
 * any number are the same.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '200' }, from: { type: 'string', default: '1' } },
});
const [count, first] = [Number(values.seeds), Number(values.from)];
const names = positionals.length === 0 ? [healthyName, ...Object.keys(shownBy)] : positionals;

/** The violations, and how strongly the defect showed: the weakest of all seeds. */
interface Tally {
  readonly broken: number;
  readonly weakest: number;
}

async function tallyOf(name: string): Promise<Tally> {
  let [broken, weakest] = [0, Number.POSITIVE_INFINITY];
  for (let seed = first; seed < first + count; seed += 1) {
    try {
      weakest = Math.min(weakest, await strengthOn(name, seed));
    } catch (error) {
      broken += 1;
      console.log(`  ${name}, seed ${seed}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { broken, weakest };
}

/** Throws if the run does not show what it must. */
async function strengthOn(name: string, seed: number): Promise<number> {
  const ends: (() => unknown)[] = [];
  const world = name === healthyName ? {} : { defects: [name] };
  try {
    const run = await rehearse({ after: (end) => void ends.push(end as () => unknown) }, { seed, world });
    assertShown(name, run);
    return strengthOf(name, run) ?? Number.POSITIVE_INFINITY;
  } finally {
    for (const end of ends) await end();
  }
}

let failed = 0;
console.log('defect                       seeds   as the contract says   weakest   seconds of CPU a run');
for (const name of names) {
  const before = process.cpuUsage();
  const { broken, weakest } = await tallyOf(name);
  const { user, system } = process.cpuUsage(before);
  failed += broken;
  const seconds = (user + system) / 1e6 / count;
  const cells = [name.padEnd(28), `${count}`.padStart(5), `${count - broken}`.padStart(22)];
  console.log(
    [...cells, `${Number.isFinite(weakest) ? weakest : '-'}`.padStart(10), seconds.toFixed(2).padStart(22)].join(''),
  );
}
console.log(failed === 0 ? 'every run showed what it must' : `${failed} runs did not: their seeds are above`);
process.exitCode = failed === 0 ? 0 : 1;
