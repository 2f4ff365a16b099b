import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nginx } from '../test/support/nginx.ts';
import { loadAverage } from './load-average.ts';
import { median } from './median.ts';

/**
 * `monitor` beside the specification's loop of date, curl and sleep, both fifty times a second on a real nginx, and a thousand targets at one a
 * second. Budgets: 0.15 × the loop's CPU a probe; of a thousand starts, 990 within 20 ms of their time.
 */
const holdfast = join(import.meta.dirname, '../bin/holdfast.js');
const rounds = 3;
const [shortSeconds, longSeconds] = [4, 24];
const loops = 200;
const targets = 1000;
const lagSeconds = 20;

/** User and system time of a shell command and all that it starts, as the shell's own `times` has it. */
function cpuSeconds(command: string): number {
  const { stdout, stderr } = spawnSync('bash', ['-c', `${command} > /dev/null 2>&1; times`], { encoding: 'utf8' });
  const times = [...stdout.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  );
  if (times.length !== 4) throw new Error(`${command}: ${stderr}`);
  return times.reduce((sum, time) => sum + time, 0);
}

/** Of a loop's round. */
function curlMilliseconds(url: string): number {
  const round = `date -u +%FT%TZ; curl -s -o /dev/null -m 10 -w '%{http_code} %{time_total}\\n' ${url}; sleep 0.02`;
  return (cpuSeconds(`for i in $(seq ${loops}); do ${round}; done`) / loops) * 1000;
}

/** Of a tick, with its probe on a new connection and the one on a kept connection; warm, and without the start. */
function monitorMilliseconds(url: string, folder: string): number {
  const [short, long] = [shortSeconds, longSeconds].map((seconds) => {
    const log = join(folder, `cpu-${seconds}.log`);
    const cpu = cpuSeconds(
      `${process.execPath} ${holdfast} monitor ${url} --interval 20ms --duration ${seconds}s --log ${log}`,
    );
    const ticks = startsIn(log).length;
    rmSync(log);
    return { cpu, ticks };
  });
  if (short === undefined || long === undefined) return Number.NaN;
  return ((long.cpu - short.cpu) / (long.ticks - short.ticks)) * 1000;
}

/** The starts of the probes on new connections, in order, epoch milliseconds. */
function startsIn(log: string): readonly number[] {
  const lines = readFileSync(log, 'utf8').split('\n').slice(1, -1);
  const probes = lines.filter((line) => !line.startsWith('#') && !line.includes('connection=reused'));
  return probes.map((line) => Date.parse(line.slice(0, 24))).sort((a, b) => a - b);
}

interface Lag {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly probes: number;
}

/** How late a thousand targets' probes start, against the schedule that fits them best: one a millisecond. */
function lag(url: string, folder: string): Lag {
  const log = join(folder, 'lag.log');
  const more = Array.from({ length: targets - 1 }, (_, i) => ['--target', `${url}?${i}`]).flat();
  const words = ['monitor', url, ...more, '--log', log, '--duration', `${lagSeconds}s`, '--quiet', '--json'];
  const { stderr } = spawnSync(process.execPath, [holdfast, ...words], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const facts = readFileSync(log, 'utf8').match(/^# (missed|stall).*$/gm) ?? [];
  const starts = startsIn(log);
  if (facts.length > 0 || starts.length < targets * (lagSeconds - 1))
    console.log(stderr, facts.join('\n'), `${starts.length} probes`);
  const late = starts.map((start, i) => start - i);
  const first = Math.min(...late.slice(0, 5 * targets));
  const lags = late.map((value) => value - first).sort((a, b) => a - b);
  const at = (share: number) => lags[Math.floor((lags.length - 1) * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), max: at(1), probes: starts.length };
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
const server = await nginx(folder);
await server.start();
try {
  const url = `http://127.0.0.1:${server.port}/`;
  const runs = Array.from({ length: rounds }, () => ({
    curl: curlMilliseconds(url),
    monitor: monitorMilliseconds(url, folder),
  }));
  const [curl, own] = [median(runs.map((run) => run.curl)), median(runs.map((run) => run.monitor))];
  console.log(
    `CPU a probe: date, curl and sleep ${curl.toFixed(2)} ms; holdfast monitor ${own.toFixed(2)} ms with its reused probe; ${(own / curl).toFixed(3)} ×`,
  );
  const { p50, p99, max, probes } = lag(url, folder);
  console.log(`${targets} targets at 1 Hz, ${probes} probes: lag p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`);
  console.log(loadAverage());
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
