import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Caused, type Fault, faults, faultySite } from './accuracy/faulty-site.ts';
import { ourMonitor } from './accuracy/holdfast.ts';
import { badTimesInterval, casesOf, firstBadToNextGood, type Prober } from './accuracy/measured.ts';
import { inOwnNetwork } from './accuracy/own-network.ts';
import { installedRivals, type Rival, type Running } from './accuracy/rivals.ts';
import { accuracyTable, meanError, type Result } from './accuracy/table.ts';
import { loadAverage } from './load-average.ts';

/**
 * How true the lengths of outages are: ours and other programs', all at once, of the same outages of one server. About
 * six minutes; root, Linux. `--faults refusing,hanging` and `--seconds 0.4,1.3` take a part, `--write docs/accuracy.md`
 * puts the table into that page. Ends with 1 when our mean error is over 0.46 s at 1 Hz or over 0.06 s with edges, or
 * our bounds do not contain the truth once.
 */
const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: faults.join() },
    seconds: { type: 'string', default: '0.4,1.3,3.7,12.2' },
    write: { type: 'string' },
  },
});
/** As many of each, so that their intervals have other phases. */
const [ourPhases, rivalPhases] = [8, 4];
/** After it the slowest prober has ended what it began. */
const quietSeconds: Record<Fault, number> = {
  refusing: 5,
  hanging: 13,
  resetting: 5,
  '503': 5,
  'slow answers': 7,
  'lost packets': 13,
  'DNS failure': 5,
};
const budgets = [
  { name: 'holdfast', meanError: 0.46 },
  { name: 'holdfast, edges', meanError: 0.06 },
];

if (inOwnNetwork(import.meta.filename)) await measureAll();

async function measureAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const site = await faultySite();
  const probers = await allProbers(folder);
  await sleep(5000);
  const all: Caused[] = [];
  for (const fault of faults.filter((one) => values.faults.split(',').includes(one)))
    for (const seconds of values.seconds.split(',').map(Number)) {
      // Another part of the intervals each time, and no whole tenths of a second: they would flatter probes that are a
      // tenth apart.
      await sleep(1000 * (quietSeconds[fault] + ((all.length * 0.37) % 1)));
      all.push(await site.fail(fault, seconds + ((all.length * 0.037) % 0.1)));
    }
  await sleep(13_000);
  const results: Result[] = [];
  for (const prober of probers) results.push({ name: prober.name, cases: casesOf(prober, await prober.end(), all) });
  site.close();
  rmSync(folder, { recursive: true });
  report(results);
}

async function allProbers(folder: string): Promise<readonly Prober[]> {
  const ours = [
    ourMonitor('holdfast', folder, ourPhases, []),
    ourMonitor('holdfast, edges', folder, ourPhases, ['--edges', '100ms']),
  ];
  const rivals: Prober[] = [];
  for (const rival of installedRivals()) rivals.push(...(await rivalProbers(rival, folder)));
  return [...ours, ...rivals];
}

/** Begun one after the other, a part of an interval apart. The loop's log is read in both ways that people read it. */
async function rivalProbers(rival: Rival, folder: string): Promise<readonly Prober[]> {
  const running: Running[] = [];
  for (let which = 0; which < rivalPhases; which += 1) {
    running.push(rival.begin(folder, which / rivalPhases));
    await sleep(1000 / rivalPhases);
  }
  let samples: ReturnType<Running['end']>[] | undefined;
  const ended = () => {
    samples ??= running.map((one) => one.end());
    return Promise.all(samples);
  };
  const readings = [{ name: rival.name, of: badTimesInterval }];
  if (rival.name === 'curl loop') readings.push({ name: 'curl loop, first bad to next good', of: firstBadToNextGood });
  return readings.map(({ name, of }) => ({
    name,
    probers: rivalPhases,
    end: async () => (await ended()).flatMap((ofOne, which) => of(ofOne, which)),
  }));
}

function report(results: readonly Result[]): void {
  const table = accuracyTable(results);
  console.log([...table, loadAverage()].join('\n'));
  for (const { name, meanError: most } of budgets) {
    const cases = results.find((one) => one.name === name)?.cases ?? [];
    const broken = cases.filter(({ held }) => held === false);
    for (const one of broken) console.log(`${name}: its bounds do not contain the truth: ${JSON.stringify(one)}`);
    if (meanError(cases) <= most && broken.length === 0) continue;
    console.log(`${name}: mean error ${meanError(cases).toFixed(3)} s, at most ${most} s`);
    process.exitCode = 1;
  }
  if (values.write === undefined) return;
  const page = readFileSync(values.write, 'utf8');
  writeFileSync(
    values.write,
    page.replace(/(?<=^## Measured\n\n)(\|.*\n)*/m, () => `${table.join('\n')}\n`),
  );
}
