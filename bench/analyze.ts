import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAverage } from './load-average.ts';
import { median } from './median.ts';

/**
 * `analyze`, as it is built, beside mawk on ten million lines, the same question, turn by turn; budgets: 0.3 × mawk's
 * time, 150 MiB. Ends with 1 when one is not kept.
 */
const lineCount = Number(process.argv[2] ?? 10_000_000);
const rounds = 3;

const holdfast = join(import.meta.dirname, '../bin/holdfast.js');
const tellPeak =
  'data:text/javascript,process.on("exit",()=>process.stderr.write(String(process.resourceUsage().maxRSS)))';

/** The outages (first bad, next good, how many bad), the number of samples and the longest answer. */
const question = `
  /^#/ { next }
  { samples++; if ($3 + 0 > longest) longest = $3 + 0 }
  $2 != 200 || $3 > 1 { if (!bad++) { from = $1; outages++ } next }
  bad { print from, $1, bad; bad = 0 }
  END { print outages, samples, longest }`;

/** An outage of three to seven seconds in every thousand. */
function writeLog(path: string): void {
  const file = openSync(path, 'w');
  writeSync(file, '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200\n');
  const start = Date.UTC(2026, 0, 1) + 203;
  let block = '';
  for (let i = 0; i < lineCount; i++) {
    const bad = i % 1000 < 3 + (i % 5);
    block += `${new Date(start + i * 1000).toISOString()} ${bad ? '503' : '200'} 0.0${10 + ((i * 7) % 90)}\n`;
    if (block.length < 1_000_000 && i < lineCount - 1) continue;
    writeSync(file, block);
    block = '';
  }
  closeSync(file);
}

function secondsOf(
  program: string,
  words: readonly string[],
): { readonly seconds: number; readonly stdout: string; readonly stderr: string } {
  const begun = performance.now();
  const { stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return { seconds: (performance.now() - begun) / 1000, stdout, stderr };
}

function ours(path: string): { readonly seconds: number; readonly peakMiB: number; readonly answer: string } {
  const { seconds, stdout, stderr } = secondsOf(process.execPath, [
    '--import',
    tellPeak,
    holdfast,
    'analyze',
    path,
    '--json',
  ]);
  const { outages, log, latency } = JSON.parse(stdout);
  return { seconds, peakMiB: Number(stderr) / 1024, answer: `${outages.length} ${log.samples} ${latency.max}` };
}

function mawks(path: string): { readonly seconds: number; readonly answer: string } {
  const { seconds, stdout } = secondsOf('mawk', [question, path]);
  return { seconds, answer: stdout.trimEnd().split('\n').at(-1) ?? '' };
}

const { status } = spawnSync(process.execPath, ['build.js'], {
  cwd: join(import.meta.dirname, '..'),
  stdio: 'inherit',
});
if (status !== 0) throw new Error('build.js failed');
const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
try {
  const path = join(folder, 'downtime.log');
  writeLog(path);
  readFileSync(path);
  const runs = Array.from({ length: rounds }, () => ({ mawk: mawks(path), ours: ours(path) }));
  for (const run of runs)
    if (run.mawk.answer !== run.ours.answer) throw new Error(`mawk says ${run.mawk.answer}, we say ${run.ours.answer}`);
  const mawk = median(runs.map((run) => run.mawk.seconds));
  const own = median(runs.map((run) => run.ours.seconds));
  const peak = Math.max(...runs.map((run) => run.ours.peakMiB));
  console.log(
    `${lineCount} lines: mawk ${mawk.toFixed(2)} s; holdfast analyze ${own.toFixed(2)} s, ${peak.toFixed(0)} MiB; ${(own / mawk).toFixed(2)} × mawk`,
  );
  if (own > 0.3 * mawk || peak > 150) process.exitCode = 1;
  console.log(loadAverage());
} finally {
  rmSync(folder, { recursive: true });
}
