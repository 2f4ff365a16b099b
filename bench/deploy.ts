import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { buildLaravel, type LaravelSite } from '../test/deploys/support/laravel.ts';
import { isTorn, type Visit, visit } from '../test/deploys/support/visitors.ts';
import { median } from './median.ts';

/**
 * The specification's script as bash and holdfast in place, on a real Laravel with nginx, php-fpm and opcache at its
 * defaults: wall and CPU time of a change, of nothing new and of a rollback, and what visitors at 200 requests a second
 * see. Budgets: half of the script's wall time for a change; at most 1 failed and 5 torn of the requests of ten deploys;
 * errors of a broken commit for at most 0.1 s.
 */
const rounds = 7;
const deploysUnderLoad = 10;
const requestsPerSecond = 200;
const holdfast = join(import.meta.dirname, '../bin/holdfast.js');

/** The specification's section 4.3 as one would write it by hand. */
const script = `#!/bin/bash
{
echo "===== Deployment started $(date -u +%FT%TZ) ====="
cd "$APP_DIR" || { echo "[ERROR] Directory"; exit 1; }
PREVIOUS_COMMIT=$(git rev-parse HEAD)
echo "[INFO] Previous commit: $PREVIOUS_COMMIT"
git fetch origin "$BRANCH" 2>&1 || { echo "[ERROR] Git fetch failed"; exit 1; }
git reset --hard "origin/$BRANCH" || { echo "[ERROR] reset failed"; exit 1; }
echo "[INFO] New commit: $(git rev-parse HEAD)"
for step in config:clear cache:clear route:clear view:clear config:cache route:cache view:cache; do php artisan $step; done
HTTP_STATUS=$(curl -s -o /dev/null -w '%{http_code}' "$HEALTH_URL")
if [ "$HTTP_STATUS" != 200 ]; then
  echo "[ERROR] Health check failed: $HTTP_STATUS"
  git reset --hard "$PREVIOUS_COMMIT"
  for step in config:cache route:cache view:cache; do php artisan $step; done
  echo "[ROLLBACK] $PREVIOUS_COMMIT"
else
  echo "[SUCCESS]"
fi
echo "===== Deployment completed $(date -u +%FT%TZ) ====="
echo
} >> "$LOG_FILE"
`;

interface Way {
  readonly name: string;
  readonly command: (site: LaravelSite) => readonly [string, ...string[]];
}
const ways: readonly Way[] = [
  { name: 'bash script', command: (site) => ['bash', join(site.folder, 'deploy.sh')] },
  {
    name: 'holdfast',
    command: ({ fastcgi }) => [process.execPath, holdfast, 'deploy', '--quiet', '--again', '--fastcgi', fastcgi],
  },
];

interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

function deployOnce(site: LaravelSite, way: Way): Promise<Cost> {
  const environment = {
    ...site.environment,
    APP_DIR: site.app,
    BRANCH: 'main',
    LOG_FILE: site.logFile,
    HEALTH_URL: site.healthUrl,
  };
  const words = way
    .command(site)
    .map((word) => `'${word}'`)
    .join(' ');
  const child = spawn('bash', ['-c', `${words} > /dev/null 2> ${site.folder}/said; times`], { env: environment });
  let times = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    times += text;
  });
  const startedAt = performance.now();
  return new Promise((resolve) => {
    child.on('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const cpu = [...times.matchAll(/(\d+)m([\d.]+)s/g)].map(
        ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
      );
      resolve({ seconds, cpuSeconds: cpu.reduce((sum, part) => sum + part, 0) });
    });
  });
}

async function costs(site: LaravelSite, way: Way, prepare: (round: number) => void): Promise<string> {
  const all: Cost[] = [];
  for (let round = 0; round < rounds; round++) {
    prepare(round);
    all.push(await deployOnce(site, way));
    // Whatever the rest of opcache's two seconds would do to the next round.
    await new Promise((resolve) => setTimeout(resolve, 3200));
  }
  const wall = median(all.map(({ seconds }) => seconds));
  const cpu = median(all.map(({ cpuSeconds }) => cpuSeconds));
  return `${(wall * 1000).toFixed(0)} ms wall, ${(cpu * 1000).toFixed(0)} ms CPU`;
}

async function good(t: TestContext, site: LaravelSite, way: Way): Promise<string> {
  const visitors = visit(t, site.url, requestsPerSecond);
  for (let deploy = 0; deploy < deploysUnderLoad; deploy++) {
    site.pushVersion(`load${deploy}`);
    await deployOnce(site, way);
    await new Promise((resolve) => setTimeout(resolve, 3500));
  }
  const visits = await visitors.stop();
  return `${visits.length} requests, ${failed(visits).length} failed, ${visits.filter(isTorn).length} torn`;
}

async function broken(t: TestContext, site: LaravelSite, way: Way): Promise<string> {
  const seen: number[] = [];
  let undetected = 0;
  for (let deploy = 0; deploy < 5; deploy++) {
    const visitors = visit(t, site.url, requestsPerSecond);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    site.pushVersion(`broken${deploy}`, { broken: true });
    await deployOnce(site, way);
    await new Promise((resolve) => setTimeout(resolve, 4000));
    const errors = failed(await visitors.stop());
    const [first, last] = [errors[0], errors.at(-1)];
    seen.push(first === undefined || last === undefined ? 0 : last.at - first.at);
    if ((await site.get('/')).status !== 200) undetected++;
    site.pushVersion(`repaired${deploy}`);
    await deployOnce(site, way);
    await new Promise((resolve) => setTimeout(resolve, 3500));
  }
  return `errors seen for ${median(seen).toFixed(2)} s in the median, ${undetected} of 5 not found`;
}

const failed = (visits: readonly Visit[]) => visits.filter(({ status }) => status !== 200);

const cleanups: (() => unknown)[] = [];
const t = {
  after: (cleanup: () => unknown) => cleanups.unshift(cleanup),
  diagnostic: console.log,
} as unknown as TestContext;
try {
  for (const way of ways) {
    const site = await buildLaravel(t);
    writeFileSync(join(site.folder, 'deploy.sh'), script);
    console.log(way.name);
    console.log(`  a change:      ${await costs(site, way, (round) => site.pushVersion(`v${round}`))}`);
    console.log(`  nothing new:   ${await costs(site, way, () => {})}`);
    console.log(
      `  a rollback:    ${await costs(site, way, (round) => site.pushVersion(`broken${round}`, { broken: true }))}`,
    );
    site.pushVersion('whole');
    await deployOnce(site, way);
    console.log(`  ten deploys:   ${await good(t, site, way)}`);
    console.log(`  broken ones:   ${await broken(t, site, way)}`);
  }
} finally {
  for (const cleanup of cleanups) await cleanup();
}
