import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baselinePackage } from './baseline.ts';
import { loadAverage } from './load-average.ts';
import { mebibytesOf } from './mebibytes.ts';
import { buildPackage } from './package.ts';
import { inTurns, medianOf, ratioOf } from './turns.ts';

/**
 * The whole procedure on the embedded cluster, start to exit, by the package as it is installed: beside a Node that
 * does nothing, beside the baseline, which rehearses a shorter procedure, and beside the budgets. `node
 * bench/rehearsal.ts 500` measures that number of nodes alone.
 */
const sizes = [
  { nodes: undefined, budget: '36 ×, 250 MiB', turns: 10 },
  { nodes: 50, budget: '48 ×', turns: 10 },
  { nodes: 500, budget: '200 ×, 450 MiB', turns: 5 },
];
const [, , wanted] = process.argv;
const [program, baseline] = [buildPackage(), baselinePackage()];
const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

for (const { nodes, budget, turns } of sizes) {
  if (wanted !== undefined && Number(wanted) !== (nodes ?? 0)) continue;
  const words = ['rehearse', '--quiet', '--seed', '1', ...(nodes === undefined ? [] : ['--nodes', String(nodes)])];
  const rehearsal = (of: string) => [of, ...words, '--out', mkdtempSync(join(folder, 'run-'))];
  const { ours, theirs, nothing } = inTurns(turns, {
    nothing: () => ['-e', '0'],
    ours: () => rehearsal(program),
    theirs: () => rehearsal(baseline),
  });
  console.log(`${words.join(' ')}: ${mebibytesOf(rehearsal(program)).toFixed(0)} MiB (budget ${budget})`);
  for (const figure of ['wallSeconds', 'cpuSeconds'] as const) {
    const seconds = `${medianOf(ours, figure).toFixed(2)}, ${ratioOf(ours, nothing, figure).toFixed(0)} × node -e 0`;
    console.log(`  ${figure}: ${seconds}, ${ratioOf(ours, theirs, figure).toFixed(2)} × the baseline`);
  }
}
console.log(loadAverage());
