import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './median.ts';
import { buildPackage } from './package.ts';

/**
 * The whole procedure on the embedded cluster, start to exit, by the package as it is installed and by a clone: wall clock,
 * CPU and the largest resident size, beside their budgets.
 */
const installed = buildPackage();
process.on('exit', () => rmSync(installed.folder, { recursive: true }));
const programs = { package: installed.program, clone: join(import.meta.dirname, '../bin/holdfast.js') };
const sizes = [
  { words: [], budget: '1.5 s, 250 MiB', rounds: 7 },
  { words: ['--nodes', '50'], budget: '2 s', rounds: 5 },
  { words: ['--nodes', '500'], budget: '8 s, 450 MiB', rounds: 3 },
];

interface Round {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly mebibytes: number;
}

/** The child prints its resource usage when it ends: CPU of all its threads in microseconds, its largest size in KiB. */
const used = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stderr.write('used=' + (userCPUTime + systemCPUTime) + ',' + maxRSS + '\\n');
})`;

function rehearse(program: string, words: readonly string[]): Round {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(used)}`];
  const command = [...flags, program, 'rehearse', '--quiet', ...words, '--out', join(folder, 'run')];
  const begun = performance.now();
  const { stderr, status } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  const wallSeconds = (performance.now() - begun) / 1000;
  rmSync(folder, { recursive: true });
  const [, microseconds, kibibytes] = /used=(\d+),(\d+)/.exec(stderr) ?? [];
  if (status !== 0) throw new Error(`rehearse ${words.join(' ')} ended with ${status}: ${stderr}`);
  return { wallSeconds, cpuSeconds: Number(microseconds) / 1e6, mebibytes: Number(kibibytes) / 1024 };
}

for (const { words, budget, rounds } of sizes) {
  for (const [name, program] of Object.entries(programs)) {
    rehearse(program, words); // The code cache is there from the second run on.
    const runs = Array.from({ length: rounds }, () => rehearse(program, words));
    const wall = median(runs.map(({ wallSeconds }) => wallSeconds)).toFixed(2);
    const cpu = median(runs.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2);
    const mebibytes = Math.max(...runs.map((run) => run.mebibytes)).toFixed(0);
    const what = ['rehearse', ...words].join(' ');
    console.log(`${what}, ${name}: ${wall} s, CPU ${cpu} s, ${mebibytes} MiB (budget ${budget})`);
  }
}
