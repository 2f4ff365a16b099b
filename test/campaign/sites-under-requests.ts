import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Visit, visit } from '../deployment/support/visitors.ts';
import { buildRealSite, type RealSite, realSites } from './support/real-sites.ts';

/**
 * Eight deploys, two of them broken, of a real WordPress, Symfony, plain PHP and static site under 30 requests a
 * second: by holdfast, and by the specification's script (section 4.3). WORDPRESS names the folder of a WordPress,
 * Debian's where it is not set. Prints what visitors noticed.
 */
const perSecond = 30;
const versions = ['two', 'three', 'broken', 'four', 'five', 'broken', 'six', 'seven'];
/** Between two deploys, as long as opcache may run old code (its default `revalidate_freq`). */
const restSeconds = 3;

const program = join(import.meta.dirname, '../../bin/holdfast.js');

/** Steps 1 to 10 of section 4.3, with the caches of the site's framework in step 7. */
const script = `
cd "$APP_DIR" || exit 1
previous=$(git rev-parse HEAD)
git fetch --quiet origin main
git reset --quiet --hard origin/main
$CACHES
status=$(curl --silent --output /dev/null --write-out '%{http_code}' "$HEALTH_URL")
[ "$status" = 200 ] && exit 0
git reset --quiet --hard "$previous"
$CACHES
exit 3
`;

type Deploy = (site: RealSite) => Promise<number | null>;

const byScript: Deploy = ({ app, healthUrl, caches, environment }) =>
  ended('sh', ['-c', script.replaceAll('$CACHES', caches)], { ...environment, APP_DIR: app, HEALTH_URL: healthUrl });

const byHoldfast: Deploy = ({ app, healthUrl, preset, environment, fastcgi, logFile }) =>
  ended(
    process.execPath,
    [
      ...[program, 'deploy', '--app-dir', app, '--branch', 'main', '--health-url', healthUrl, '--preset', preset],
      ...['--log-file', logFile],
      ...(fastcgi === undefined ? [] : ['--fastcgi', fastcgi]),
    ],
    environment,
  );

function ended(command: string, words: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(command, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (process.env.VERBOSE !== undefined) process.stderr.write(text);
  });
  return new Promise<number | null>((resolve) => child.once('close', resolve));
}

/** Of what a page says of its parts not all of one version, or not all of them. */
function isTorn({ status, body }: Visit): boolean {
  const found = [...body.matchAll(/(?:class|view|config)=(\w+)/g)].map(([, version]) => version);
  return status === 200 && (found.length !== 3 || new Set(found).size !== 1);
}

const isGood = (one: Visit): boolean => one.status === 200 && !isTorn(one);

/** The longest time without a good answer, from the last one before it. */
function longestGapSeconds(visits: readonly Visit[], since = 0): number {
  let [last, longest] = [since, 0];
  for (const one of visits) {
    if (isGood(one)) last = one.at;
    else longest = Math.max(longest, one.at - last);
  }
  return longest;
}

const rest = () => new Promise((resolve) => setTimeout(resolve, restSeconds * 1000));

/** Deploys every version under requests; what went otherwise than section 3.3 has it. */
async function deployed(site: RealSite, deploy: Deploy, began: (version: string) => void): Promise<readonly string[]> {
  const wrong: string[] = [];
  let live = 'one';
  for (const version of versions) {
    await rest();
    site.push(version);
    began(version);
    const exitCode = await deploy(site);
    if (version !== 'broken') live = version;
    if (exitCode !== (version === 'broken' ? 3 : 0)) wrong.push(`${version} ended with ${exitCode}`);
    await rest();
    const { body } = await site.get();
    if (!body.includes(`class=${live}`)) wrong.push(`after ${version} the site is not ${live}`);
  }
  return wrong;
}

async function measured(t: TestContext, kind: keyof typeof realSites, name: string, deploy: Deploy) {
  const site = await buildRealSite(t, kind);
  if (site === undefined) return;
  assert.equal(await deploy(site), 0, 'the site as it stands can be deployed');
  const visitors = visit(t, site.url, perSecond);
  const beganAt = performance.now();
  const deploys: { readonly version: string; readonly at: number }[] = [];
  const wrong = await deployed(site, deploy, (version) => {
    deploys.push({ version, at: (performance.now() - beganAt) / 1000 });
  });
  const visits = await visitors.stop();
  const [failed, torn] = [visits.filter(({ status }) => status !== 200), visits.filter(isTorn)];
  const gap = longestGapSeconds(visits).toFixed(2);
  console.log(
    `${kind}, ${name}: ${visits.length} requests, ${failed.length} failed, ${torn.length} torn, longest gap ${gap} s`,
  );
  for (const [index, { version, at }] of deploys.entries()) {
    const until = deploys[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const seen = visits.filter((one) => one.at >= at && one.at < until);
    const [bad, mixed] = [seen.filter(({ status }) => status !== 200).length, seen.filter(isTorn).length];
    console.log(`  ${version}: ${bad} failed, ${mixed} torn, longest gap ${longestGapSeconds(seen, at).toFixed(2)} s`);
  }
  for (const one of wrong) console.log(`  wrong: ${one}`);
  if (name === 'holdfast') assert.deepEqual(wrong, [], site.log());
}

const chosen = process.env.SITES?.split(',') ?? Object.keys(realSites);
for (const kind of chosen as (keyof typeof realSites)[])
  for (const [name, deploy] of Object.entries({ holdfast: byHoldfast, script: byScript }))
    test(`${kind} under 30 requests a second, eight deploys by ${name}, two of them broken`, (t) =>
      measured(t, kind, name, deploy));
