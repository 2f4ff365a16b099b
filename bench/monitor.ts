import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Analysis } from '../src/validation/downtime/analyze.ts';
import { whereIs } from '../test/support/needs.ts';
import { nginx } from '../test/support/nginx.ts';
import { loadAverage } from './load-average.ts';
import { median } from './median.ts';

/**
 * `monitor` beside the specification's loop of date, curl and sleep and beside blackbox_exporter, all fifty times a
 * second on a real nginx, and five thousand targets at one a second, fifty of which are down for a while. Budgets: 0.1
 * × the loop's CPU a probe, and 0.6 × the exporter's (without its scraper); of a thousand starts, 990 within 20 ms of
 * their time; every outage found. Ends with 1 where one is not kept. `node bench/monitor.ts cpu` or `lag` is a part.
 */
const holdfast = join(import.meta.dirname, '../bin/holdfast.js');
const rounds = 3;
const [shortSeconds, longSeconds] = [4, 24];
const loops = 200;
const targets = 5000;
const lagSeconds = 20;
const warmUpSeconds = 5;
const downTargets = 50;
const part = process.argv[2] ?? 'all';

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

/** Of a probe of the exporter, when it is warm; what the scraper costs is not counted. */
async function blackboxMilliseconds(url: string, folder: string): Promise<number | undefined> {
  const program = whereIs('prometheus-blackbox-exporter');
  if (program === undefined) return undefined;
  const settings = join(folder, 'blackbox.yml');
  writeFileSync(settings, 'modules: { http: { prober: http, http: { preferred_ip_protocol: ip4 } } }\n');
  const child = spawn(program, [`--config.file=${settings}`, '--web.listen-address=127.0.0.1:9115'], {
    stdio: 'ignore',
  });
  const ask = `http://127.0.0.1:9115/probe?module=http&target=${encodeURIComponent(url)}`;
  const scrape = () =>
    fetch(ask).then(
      (answer) => answer.text(),
      () => '',
    );
  while (!/probe_success 1/.test(await scrape())) await sleep(50);
  const probes = async (count: number) => {
    for (let probe = 0; probe < count; probe += 1) await Promise.all([scrape(), sleep(20)]);
    return processorSeconds(child.pid);
  };
  const before = await probes(loops);
  const after = await probes(5 * loops);
  child.kill();
  return ((after - before) / (5 * loops)) * 1000;
}

/** utime and stime of proc(5), in ticks of 10 ms. */
function processorSeconds(pid = 0): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
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

/**
 * How late the probes of all targets start, against the schedule that fits them best, and how many of the outages are
 * in the log.
 */
async function lag(url: string, folder: string): Promise<Lag & { readonly found: number }> {
  const log = join(folder, 'lag.log');
  const list = join(folder, 'targets.json');
  writeFileSync(list, JSON.stringify(Array.from({ length: targets }, (_, i) => `${url}${i}`)));
  const words = [
    'monitor',
    '--targets',
    list,
    '--no-reused',
    '--log',
    log,
    '--duration',
    `${lagSeconds}s`,
    '--quiet',
    '--json',
  ];
  const child = spawn(process.execPath, [holdfast, ...words], {
    stdio: ['ignore', openSync(join(folder, 'lag.json'), 'w'), 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await takeDown(folder);
  await ended;
  const { outages } = JSON.parse(readFileSync(join(folder, 'lag.json'), 'utf8')) as Analysis;
  const down = new Set(outages.filter(({ kinds }) => kinds.includes('503')).map(({ target }) => target));
  const found = downNumbers.filter((number) => down.has(`${url}${number}`)).length;
  if (found < downTargets) console.log(`${outages.length} outages, of these targets: ${[...down].join(' ')}`);
  const facts = readFileSync(log, 'utf8').match(/^# (missed|stall).*$/gm) ?? [];
  const starts = startsIn(log);
  if (facts.length > 0 || starts.length < targets * (lagSeconds - 1))
    console.log(stderr, facts.join('\n'), `${starts.length} probes`);
  const late = starts.map((start, i) => start - (i * 1000) / targets);
  const first = Math.min(...late.slice(0, 5 * targets));
  // A monitor runs for years: its first seconds, in which its code is compiled, are left out.
  const lags = late
    .slice(warmUpSeconds * targets)
    .map((value) => value - first)
    .sort((a, b) => a - b);
  const at = (share: number) => lags[Math.floor((lags.length - 1) * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), max: at(1), probes: starts.length, found };
}

const downNumbers = Array.from({ length: downTargets }, (_, index) => 7 + 97 * index);

/** Each for 1.5 s, a tenth of a second after the one before. */
async function takeDown(folder: string): Promise<void> {
  await sleep((lagSeconds * 1000) / 3);
  const outages = downNumbers.map(async (number, index) => {
    await sleep(100 * index);
    writeFileSync(join(folder, `down-${number}`), '');
    await sleep(1500);
    rmSync(join(folder, `down-${number}`));
  });
  await Promise.all(outages);
}

function expect(met: boolean, budget: string): void {
  if (met) return;
  console.log(`not met: ${budget}`);
  process.exitCode = 1;
}

/** The page at each path; 503 for /7 while there is a file `down-7`. */
const oneForEach = (folder: string, port: number): string => `
      server {
        listen 127.0.0.1:${port} backlog=4096;
        root ${folder}/html;
        location ~ ^/(?<number>[0-9]*)$ {
          if (-f ${folder}/down-$number) { return 503; }
          rewrite ^ /index.html break;
        }
      }`;

async function compareCpu(url: string, folder: string): Promise<void> {
  const runs = Array.from({ length: rounds }, () => ({
    curl: curlMilliseconds(url),
    monitor: monitorMilliseconds(url, folder),
  }));
  const [curl, own] = [median(runs.map((run) => run.curl)), median(runs.map((run) => run.monitor))];
  console.log(
    `CPU a tick: date, curl and sleep ${curl.toFixed(2)} ms; holdfast monitor ${own.toFixed(2)} ms for its two probes; ${(own / 2 / curl).toFixed(3)} × a probe`,
  );
  expect(own / 2 <= 0.1 * curl, '0.1 × the CPU of date, curl and sleep');
  const blackbox = await blackboxMilliseconds(url, folder);
  if (blackbox === undefined) return console.log('Without blackbox_exporter: it is not installed.');
  console.log(`blackbox_exporter ${blackbox.toFixed(2)} ms a probe; ${(own / 2 / blackbox).toFixed(2)} ×`);
  expect(own / 2 <= 0.6 * blackbox, '0.6 × the CPU of blackbox_exporter');
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
const server = await nginx(folder, oneForEach);
await server.start();
try {
  const url = `http://127.0.0.1:${server.port}/`;
  if (part !== 'lag') await compareCpu(url, folder);
  if (part !== 'cpu') {
    const { p50, p99, max, probes, found } = await lag(url, folder);
    console.log(
      `${targets} targets at 1 Hz, ${probes} probes: lag p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(1)} ms; ${found} of ${downTargets} outages found`,
    );
    expect(p99 <= 20, 'p99 of the lag 20 ms');
    expect(found === downTargets, 'every outage found');
  }
  console.log(loadAverage());
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
