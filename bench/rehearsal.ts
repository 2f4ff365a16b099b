import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './median.ts';
import { buildPackage } from './package.ts';

/**
 * The whole procedure on the embedded cluster, start to exit, by the package as it is installed and by a clone: wall clock,
 * CPU and the largest resident size, beside their budgets. With BESIDE=FOLDER, a clone of another version, its package runs
 * in turn with ours. Versions rehearse procedures of different length: CPU is said for a rehearsed minute too.
 */
const installed = buildPackage();
process.on('exit', () => rmSync(installed.folder, { recursive: true }));
const other = process.env.BESIDE === undefined ? undefined : buildPackage(process.env.BESIDE);
if (other !== undefined) process.on('exit', () => rmSync(other.folder, { recursive: true }));
const programs = {
  package: installed.program,
  ...(other !== undefined && { beside: other.program }),
  clone: join(import.meta.dirname, '../bin/holdfast.js'),
};
const sizes = [
  { words: [], budget: '1.5 s, 250 MiB', rounds: 7 },
  { words: ['--nodes', '50'], budget: '2 s', rounds: 5 },
  { words: ['--nodes', '500'], budget: '8 s, 450 MiB', rounds: 3 },
];

interface Report {
  readonly run: { readonly startedAt: string; readonly finishedAt: string };
}

interface Round {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly mebibytes: number;
  readonly rehearsedMinutes: number;
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
  if (status !== 0) throw new Error(`rehearse ${words.join(' ')} ended with ${status}: ${stderr}`);
  const { run } = JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8')) as Report;
  const rehearsedMinutes = (Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 60_000;
  rmSync(folder, { recursive: true });
  const [, microseconds, kibibytes] = /used=(\d+),(\d+)/.exec(stderr) ?? [];
  return {
    wallSeconds,
    cpuSeconds: Number(microseconds) / 1e6,
    mebibytes: Number(kibibytes) / 1024,
    rehearsedMinutes,
  };
}

for (const { words, budget, rounds } of sizes) {
  const runs = new Map(Object.keys(programs).map((name) => [name, [] as Round[]]));
  // The code cache is there from the second run on.
  for (const program of Object.values(programs)) rehearse(program, words);
  for (let round = 0; round < rounds; round++)
    for (const [name, program] of Object.entries(programs)) runs.get(name)?.push(rehearse(program, words));
  for (const [name, rounds] of runs) print(['rehearse', ...words, `(${name})`].join(' '), rounds, budget);
}

function print(what: string, rounds: readonly Round[], budget: string): void {
  const wall = median(rounds.map(({ wallSeconds }) => wallSeconds)).toFixed(2);
  const cpu = median(rounds.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2);
  const perMinute = median(rounds.map((round) => (1000 * round.cpuSeconds) / round.rehearsedMinutes)).toFixed(1);
  const minutes = median(rounds.map(({ rehearsedMinutes }) => rehearsedMinutes)).toFixed(1);
  const mebibytes = Math.max(...rounds.map((run) => run.mebibytes)).toFixed(0);
  const cost = `CPU ${cpu} s, ${perMinute} ms for each of ${minutes} rehearsed minutes`;
  console.log(`${what}: ${wall} s, ${cost}, ${mebibytes} MiB (budget ${budget})`);
}
