import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './median.ts';

/** The whole procedure on the embedded cluster, start to exit: wall clock and the largest resident size, beside their budgets. */
const program = join(import.meta.dirname, '../bin/holdfast.js');
const sizes = [
  { words: [], budget: '1.5 s, 250 MiB', rounds: 7 },
  { words: ['--nodes', '50'], budget: '2 s', rounds: 5 },
  { words: ['--nodes', '500'], budget: '8 s, 450 MiB', rounds: 3 },
];

function rehearse(words: readonly string[]): { readonly seconds: number; readonly mebibytes: number } {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  // The child says its own largest size as it ends.
  const sizeAtExit = `process.on('exit', () => process.stderr.write('maxRSS=' + process.resourceUsage().maxRSS + '\\n'))`;
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(sizeAtExit)}`];
  const begun = performance.now();
  const { stderr } = spawnSync(
    process.execPath,
    [...flags, program, 'rehearse', '--quiet', ...words, '--out', join(folder, 'run')],
    {
      encoding: 'utf8',
    },
  );
  const seconds = (performance.now() - begun) / 1000;
  rmSync(folder, { recursive: true });
  return { seconds, mebibytes: Number(/maxRSS=(\d+)/.exec(stderr)?.[1]) / 1024 };
}

for (const { words, budget, rounds } of sizes) {
  const runs = Array.from({ length: rounds }, () => rehearse(words));
  const seconds = median(runs.map((run) => run.seconds)).toFixed(2);
  const mebibytes = Math.max(...runs.map((run) => run.mebibytes)).toFixed(0);
  console.log(`rehearse ${words.join(' ')}: ${seconds} s, ${mebibytes} MiB (budget ${budget})`);
}
