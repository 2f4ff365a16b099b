import { loadavg } from 'node:os';
import type { TestContext } from 'node:test';
import { type BrokenKind, brokenKinds } from '../test/deployment/support/broken-commits.ts';
import { isTorn, type Visit, visit } from '../test/deployment/support/visitors.ts';
import { compareBroken } from './broken-commits.ts';
import { type Way, waysOf } from './deploy-ways.ts';
import { median } from './median.ts';
import { type Cost, rest, runWay } from './run-way.ts';

/**
 * The specification's script as bash, holdfast in place, capistrano and shipit, each on a real Laravel of its own with
 * nginx, php-fpm and opcache at its defaults: wall and CPU time of a change, of nothing new and of a rollback, turn by
 * turn; then what visitors at 200 requests a second see of good commits and of broken ones, and at 60 what they see of
 * each kind of broken commit. Ends with 1 when holdfast does not keep its budgets. The numbers that may be given:
 * rounds of each cost, deploys under load, broken commits, broken commits of each kind; `broken` and a number is the
 * last part alone, of all kinds or of those named after it (`broken 5 route 'missing class'`).
 */
const [first, ...others] = process.argv.slice(2);
const isKind = (word: string): word is BrokenKind => brokenKinds.some((kind) => kind === word);
const named = others.filter(isKind);
const numbers = [first, ...others]
  .filter((word) => word !== undefined && word !== 'broken' && !isKind(word))
  .map(Number);
const [rounds = 7, deploysUnderLoad = 10, brokenCommits = 5, brokenOfEachKind = 3] =
  first === 'broken' ? [0, 0, 0, ...numbers] : numbers;
const requestsPerSecond = 200;
/** What `holdfast` calls slow by default. */
const slowSeconds = 1;
const budget = { wallRatio: 0.5, failed: 1, torn: 5, errorsSeconds: 0.1 };

const milliseconds = (seconds: readonly number[]) => (median(seconds) * 1000).toFixed(0);

/** One round of one way: what it needs first, then what is timed. */
type Task = (way: Way, round: number) => Promise<readonly string[]>;
const tasks: Readonly<Record<string, Task>> = {
  'a change': async ({ site, deploy }, round) => {
    site.pushVersion(`v${round}`);
    return deploy;
  },
  'nothing new': async ({ deploy }) => deploy,
  'a rollback': async ({ site, deploy, rollback }, round) => {
    site.pushVersion(`broken${round}`, { broken: rollback === undefined });
    if (rollback === undefined) return deploy;
    await runWay(site, deploy);
    await rest();
    return rollback;
  },
};

/** Turn by turn, so that a busy moment of the machine meets all of them. */
async function costs(ways: readonly Way[], name: string, task: Task): Promise<ReadonlyMap<string, number>> {
  const all = new Map<string, Cost[]>(ways.map((way) => [way.name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const way of ways) {
      all.get(way.name)?.push(await runWay(way.site, await task(way, round)));
      await rest();
    }
  }
  console.log(`${name}, median of ${rounds} (load ${load()}):`);
  for (const [way, each] of all) {
    const [wall, cpu] = [each.map(({ seconds }) => seconds), each.map(({ cpuSeconds }) => cpuSeconds)];
    console.log(`  ${way.padEnd(22)} ${milliseconds(wall)} ms wall, ${milliseconds(cpu)} ms CPU`);
  }
  const reference = median((all.get('bash script') ?? []).map(({ seconds }) => seconds));
  return new Map([...all].map(([way, each]) => [way, median(each.map(({ seconds }) => seconds)) / reference]));
}

interface Seen {
  readonly failed: number;
  readonly torn: number;
}

async function good(t: TestContext, { name, site, deploy }: Way): Promise<Seen> {
  const visitors = visit(t, site.url, requestsPerSecond);
  for (let count = 0; count < deploysUnderLoad; count++) {
    site.pushVersion(`load${count}`);
    await runWay(site, deploy);
    await rest();
  }
  const visits = await visitors.stop();
  const seen = { failed: failed(visits).length, torn: visits.filter(isTorn).length };
  const slow = visits.filter(({ seconds }) => seconds > slowSeconds).length;
  console.log(
    `  ${name.padEnd(22)} ${visits.length} requests, ${seen.failed} failed, ${seen.torn} torn, ${slow} slow (load ${load()})`,
  );
  return seen;
}

/** The median of how long visitors got errors; infinite if the broken commit stayed. */
async function broken(t: TestContext, { name, site, deploy }: Way): Promise<number> {
  const seen: number[] = [];
  for (let count = 0; count < brokenCommits; count++) {
    const visitors = visit(t, site.url, requestsPerSecond);
    await rest(1);
    site.pushVersion(`broken${count}`, { broken: true });
    await runWay(site, deploy);
    await rest();
    const errors = failed(await visitors.stop());
    const stays = (await site.get('/')).status !== 200;
    seen.push(stays ? Number.POSITIVE_INFINITY : (errors.at(-1)?.at ?? 0) - (errors[0]?.at ?? 0));
    site.pushVersion(`repaired${count}`);
    await runWay(site, deploy);
    await rest();
  }
  const each = seen.map((seconds) => (Number.isFinite(seconds) ? seconds.toFixed(2) : 'for ever'));
  console.log(`  ${name.padEnd(22)} ${each.join(', ')} s (load ${load()})`);
  return median(seen);
}

const failed = (visits: readonly Visit[]) => visits.filter(({ status }) => status !== 200);
const load = () => loadavg()[0]?.toFixed(1);

async function measure(t: TestContext): Promise<boolean> {
  const ways = await waysOf(t, first === 'broken' ? ['bash script', 'holdfast'] : undefined);
  // The first deploy of a release folder makes it.
  for (const { site, deploy } of ways) await runWay(site, deploy);
  const isInBudget = first === 'broken' || (await keepsBudget(t, ways));
  return (await brokenOfKinds(t, ways)) && isInBudget;
}

async function keepsBudget(t: TestContext, ways: readonly Way[]): Promise<boolean> {
  const underLoad = ways.filter(({ costOnly }) => costOnly !== true);
  const ratios: ReadonlyMap<string, number>[] = [];
  for (const [name, task] of Object.entries(tasks)) ratios.push(await costs(ways, name, task));
  for (const { site, deploy } of ways) {
    site.pushVersion('whole');
    await runWay(site, deploy);
  }
  await rest();
  console.log(`${deploysUnderLoad} good commits at ${requestsPerSecond} requests/s:`);
  const seen = new Map<string, Seen>();
  for (const way of underLoad) seen.set(way.name, await good(t, way));
  console.log(`${brokenCommits} broken commits at ${requestsPerSecond} requests/s, errors seen for:`);
  const errors = new Map<string, number>();
  for (const way of underLoad) errors.set(way.name, await broken(t, way));
  const found = { ratio: ratios[0]?.get('holdfast') ?? 1, ...(seen.get('holdfast') ?? { failed: 0, torn: 0 }) };
  const errorsSeconds = errors.get('holdfast') ?? 0;
  console.log(
    `holdfast: ${found.ratio.toFixed(2)} of the script's wall time for a change (at most ${budget.wallRatio}), ${found.failed} failed (${budget.failed}), ${found.torn} torn (${budget.torn}), errors for ${errorsSeconds.toFixed(2)} s (${budget.errorsSeconds})`,
  );
  const few = found.failed <= budget.failed && found.torn <= budget.torn && errorsSeconds <= budget.errorsSeconds;
  return few && found.ratio <= budget.wallRatio;
}

async function brokenOfKinds(t: TestContext, ways: readonly Way[]): Promise<boolean> {
  const [script, holdfast] = ['bash script', 'holdfast'].map((name) => ways.find((way) => way.name === name));
  if (script === undefined || holdfast === undefined) return false;
  return compareBroken(t, script, holdfast, {
    rounds: brokenOfEachKind,
    kinds: named.length > 0 ? named : brokenKinds,
  });
}

const cleanups: (() => unknown)[] = [];
const t = {
  after: (cleanup: () => unknown) => cleanups.unshift(cleanup),
  diagnostic: console.log,
} as unknown as TestContext;
const cleanUp = async (): Promise<void> => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().then(() => process.exit(1)));
try {
  process.exitCode = (await measure(t)) ? 0 : 1;
} finally {
  await cleanUp();
}
