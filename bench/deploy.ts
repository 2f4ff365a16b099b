import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import type { TestContext } from 'node:test';
import { isTorn, type Visit, visit } from '../test/deployment/support/visitors.ts';
import { type Way, waysOf } from './deploy-ways.ts';
import { median } from './median.ts';

/**
 * The specification's script as bash, holdfast in place, capistrano and shipit, each on a real Laravel of its own with
 * nginx, php-fpm and opcache at its defaults: wall and CPU time of a change, of nothing new and of a rollback, turn by
 * turn; then what visitors at 200 requests a second see of good commits and of broken ones. Ends with 1 when holdfast
 * does not keep its budgets. The numbers that may be given: rounds of each cost, deploys under load, broken commits.
 */
const [rounds = 7, deploysUnderLoad = 10, brokenCommits = 5] = process.argv.slice(2).map(Number);
const requestsPerSecond = 200;
/** What `holdfast` calls slow by default. */
const slowSeconds = 1;
const budget = { wallRatio: 0.5, failed: 1, torn: 5, errorsSeconds: 0.1 };
/** Longer than opcache goes on with old code: no deploy meets what the one before it left. */
const restSeconds = 3.2;

interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** The CPU time is the shell's own count of what it ran; of the peers that is the client alone, not what sshd runs. */
function run(site: Way['site'], words: readonly string[]): Promise<Cost> {
  const { app: APP_DIR, logFile: LOG_FILE, healthUrl: HEALTH_URL } = site;
  const env = { ...site.environment, APP_DIR, BRANCH: 'main', LOG_FILE, HEALTH_URL };
  const child = spawn('bash', ['-c', '"$@" >/dev/null 2>&1; times', 'bash', ...words], { env });
  let times = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    times += text;
  });
  const startedAt = performance.now();
  return new Promise((resolve) => {
    child.on('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)].map(
        ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
      );
      resolve({ seconds, cpuSeconds: parts.reduce((sum, part) => sum + part, 0) });
    });
  });
}

const rest = (seconds = restSeconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
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
    await run(site, deploy);
    await rest();
    return rollback;
  },
};

/** Turn by turn, so that a busy moment of the machine meets all of them. */
async function costs(ways: readonly Way[], name: string, task: Task): Promise<ReadonlyMap<string, number>> {
  const all = new Map<string, Cost[]>(ways.map((way) => [way.name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const way of ways) {
      all.get(way.name)?.push(await run(way.site, await task(way, round)));
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
    await run(site, deploy);
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

/** How long errors were seen, in the median; for ever where the broken commit stayed. */
async function broken(t: TestContext, { name, site, deploy }: Way): Promise<number> {
  const seen: number[] = [];
  for (let count = 0; count < brokenCommits; count++) {
    const visitors = visit(t, site.url, requestsPerSecond);
    await rest(1);
    site.pushVersion(`broken${count}`, { broken: true });
    await run(site, deploy);
    await rest();
    const errors = failed(await visitors.stop());
    const stays = (await site.get('/')).status !== 200;
    seen.push(stays ? Number.POSITIVE_INFINITY : (errors.at(-1)?.at ?? 0) - (errors[0]?.at ?? 0));
    site.pushVersion(`repaired${count}`);
    await run(site, deploy);
    await rest();
  }
  const each = seen.map((seconds) => (Number.isFinite(seconds) ? seconds.toFixed(2) : 'for ever'));
  console.log(`  ${name.padEnd(22)} ${each.join(', ')} s (load ${load()})`);
  return median(seen);
}

const failed = (visits: readonly Visit[]) => visits.filter(({ status }) => status !== 200);
const load = () => loadavg()[0]?.toFixed(1);

async function measure(t: TestContext): Promise<boolean> {
  const ways = await waysOf(t);
  const underLoad = ways.filter(({ costOnly }) => costOnly !== true);
  // The first deploy of a release folder makes it.
  for (const { site, deploy } of ways) await run(site, deploy);
  const ratios: ReadonlyMap<string, number>[] = [];
  for (const [name, task] of Object.entries(tasks)) ratios.push(await costs(ways, name, task));
  for (const { site, deploy } of ways) {
    site.pushVersion('whole');
    await run(site, deploy);
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
