import { OperationError } from '../host/errors.ts';
import type { Command, Host } from '../host/host.ts';
import type { Notifier } from '../notification/notifier.ts';
import { notifiersFor } from '../notification/notifiers.ts';
import type { Checkout } from './checkout/checkout.ts';
import { artisan } from './doctor/artisan.ts';
import { bad, type Check, type Examined, good, run, warned } from './doctor/check.ts';
import { modes, owners } from './doctor/file-access.ts';
import { gitState } from './doctor/git-state.ts';
import { cache, opcache } from './doctor/opcache.ts';
import { git } from './git/git.ts';
import { reasonOf } from './git/reason-of.ts';
import { statusText } from './log/sentence.ts';
import { readHistory } from './record/history.ts';
import { trustIn } from './record/trust.ts';
import { liveRelease, servedCheckout } from './releases/live-release.ts';
import { serverPrograms } from './releases/private-server.ts';
import { readReleases } from './releases/release.ts';
import { logTrouble } from './run/log-file.ts';
import { lookUp, notThere } from './run/missing-programs.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import type { Step } from './settings/steps.ts';
import { applicationIn } from './settings/subfolder.ts';
import { problems, statusOf } from './status.ts';
import { askOnce } from './verify/baseline.ts';
import { needs } from './verify/cannot-start.ts';

/** Checks everything that would break a deploy. Changes nothing. */
export async function examine(host: Host, settings: DeploymentSettings, checkout: Checkout): Promise<readonly Check[]> {
  const checks = [
    state,
    releases,
    remote,
    gitState,
    needed,
    log,
    space,
    programs,
    scripts,
    artisanOf,
    health,
    opcache,
    cache,
    owners,
    modes,
    notifiers,
  ];
  return (await Promise.all(checks.map((check) => check({ host, settings, checkout })))).flat();
}

async function state({ host, settings, checkout }: Examined): Promise<readonly Check[]> {
  const wrong = problems(await statusOf(host, checkout, settings));
  if (wrong.length === 0) return [good('state', 'no killed run, no freeze, no local edits')];
  return wrong.map((sentence) => bad('state', sentence));
}

async function releases({ host, settings, checkout }: Examined): Promise<readonly Check[]> {
  if (settings.mode === 'in-place') return [];
  const [live, all] = [await liveRelease(host.files, checkout), await readReleases(host.files, checkout)];
  const there = await Promise.all(
    settings.releases.shared.map((path) => host.files.stat(`${checkout.directory}/${path}`)),
  );
  const missing = settings.releases.shared.filter((_, index) => there[index] === undefined);
  return [
    good('releases', live === undefined ? 'no release is live yet' : `${live.name} is live, of ${all.length}`),
    ...(missing.length === 0 ? [] : [good('shared', `absent, so not shared: ${missing.join(', ')}`)]),
  ];
}

async function remote(examined: Examined): Promise<readonly Check[]> {
  const { branch } = examined.settings;
  const reference = `refs/heads/${branch}`;
  const listed = await run(examined, git('ls-remote', '--exit-code', '--end-of-options', 'origin', reference), 30);
  if (listed.exitCode === 0) return [await branchAt(examined, listed.stdout.split(/\s/)[0] ?? '')];
  if (listed.exitCode === 2)
    return [
      bad(
        'remote',
        `origin has no branch ${branch}: push it, or name another one by BRANCH, --branch or deployment.branch.`,
      ),
    ];
  return [
    bad(
      'remote',
      `origin cannot be reached: ${reasonOf(listed.stderr)}. git -C ${examined.checkout.directory} ls-remote origin shows the same.`,
    ),
  ];
}

async function branchAt({ host, settings, checkout }: Examined, commit: string): Promise<Check> {
  const { quarantined } = trustIn(await readHistory(host.files, checkout.stateFolder));
  const because = quarantined.get(commit);
  const place = `${settings.branch} is at ${commit.slice(0, 7)}`;
  return because === undefined
    ? good('remote', place)
    : bad('remote', `${place}, which was found bad; push a new commit, or use --again: ${because}.`);
}

/** What the deploy itself looks for before it changes anything. */
async function needed(examined: Examined): Promise<readonly Check[]> {
  const troubles = await Promise.all(needs.map(async ({ name, trouble }) => ({ name, said: await trouble(examined) })));
  const wrong = troubles.flatMap(({ name, said }) => (said === undefined ? [] : [bad(name, said)]));
  const { environmentFile: path } = examined.settings;
  const isThere = path !== undefined && (await examined.host.files.stat(`${examined.checkout.directory}/${path}`));
  const isRead = isThere && !wrong.some(({ name }) => name === 'env');
  return isRead ? [good('env', `${path} can be read`), ...wrong] : wrong;
}

async function log(examined: Examined): Promise<readonly Check[]> {
  const { logFile } = examined.settings;
  const trouble = await logTrouble(examined.host, examined.settings);
  if (trouble !== undefined) return [bad('log', trouble)];
  const test = 'if [ -e "$1" ]; then [ ! -d "$1" ] && [ -w "$1" ]; else [ -w "$(dirname -- "$1")" ]; fi';
  // Without `cwd`: the log is opened from the same directory.
  const options = { env: examined.settings.environment, timeoutSeconds: 10 };
  const { exitCode } = await examined.host.run(['sh', '-c', test, 'sh', logFile], options);
  return [
    exitCode === 0
      ? good('log', logFile)
      : bad(
          'log',
          `The deployment log ${logFile} cannot be written: give it, or its folder, to the user of the deploy, or name another one by LOG_FILE.`,
        ),
  ];
}

async function space({ host, checkout }: Examined): Promise<readonly Check[]> {
  const { bytes, files } = await host.files.freeSpace(checkout.directory);
  const mebibytes = Math.floor(bytes / 2 ** 20);
  if (mebibytes < minimumMebibytes)
    return [
      bad(
        'space',
        `Only ${mebibytes} MiB are free for ${checkout.directory}, and a deploy may need ${minimumMebibytes}: free some.`,
      ),
    ];
  if (files < minimumFiles)
    return [
      bad(
        'space',
        `There is room for only ${files} more files on the disk of ${checkout.directory}, and a deploy may need ${minimumFiles}: remove some.`,
      ),
    ];
  return [good('space', `${mebibytes} MiB are free`)];
}

/** A deploy measures its own need; below these figures there is too little room for any deploy. */
const minimumMebibytes = 100;
const minimumFiles = 1000;

async function programs(examined: Examined): Promise<readonly Check[]> {
  const { settings } = examined;
  const named = [...stepsOf(settings).map(({ command }) => command[0]), ...serverPrograms(settings)];
  // Those of the caches are what a deploy looks for itself.
  const { clear, rebuild } = settings.caches;
  const needed = new Set([...clear, ...rebuild].map(({ command }) => command[0]));
  const checks = await Promise.all(
    ['git', ...new Set(named)].map(async (program) => {
      const { exitCode, stdout } = await run(examined, lookUp(program), 10);
      if (exitCode === 0) return good('program', stdout.trim());
      return needed.has(program) ? undefined : bad('program', notThere(program));
    }),
  );
  return checks.filter((check) => check !== undefined);
}

/** A PHP script of the steps that is not in the checkout is only mentioned: it may be made by an earlier step. */
async function scripts({ host, settings, checkout }: Examined): Promise<readonly Check[]> {
  const served = await servedCheckout({ host, settings, checkout });
  const directory = applicationIn(served.directory, settings);
  const named = [...new Set(stepsOf(settings).flatMap(({ command }) => scriptOf(command)))];
  const others = named.filter((script) => script !== 'artisan');
  const there = await Promise.all(others.map((script) => host.files.stat(`${directory}/${script}`)));
  const missing = others.filter((_, index) => there[index] === undefined);
  return missing.map((script) =>
    warned('script', `${script} is not in ${directory}, but a step runs it: commit it, or let an earlier step make it`),
  );
}

function artisanOf(examined: Examined): Promise<readonly Check[]> {
  return artisan(
    examined,
    stepsOf(examined.settings).map(({ command }) => command),
  );
}

function scriptOf([program, script = '-']: Command): readonly string[] {
  return /(?:^|\/)php[\d.]*$/.test(program) && !/^[-/]/.test(script) ? [script] : [];
}

function stepsOf({ caches, steps }: DeploymentSettings): readonly Step[] {
  return [...caches.clear, ...caches.rebuild, ...steps.before, ...steps.after];
}

async function health({ host, settings }: Examined): Promise<readonly Check[]> {
  const { healthUrls } = settings;
  if (healthUrls.length === 0) return [];
  const { status, doubt, reason } = await askOnce(host, settings);
  if (status === 0)
    return [
      bad(
        'health',
        `${healthUrls.join(', ')} cannot be reached from here${reason === undefined ? '' : ` (${reason})`}: every deploy would be rolled back. Name an address by HEALTH_URL that this machine reaches.`,
      ),
    ];
  if (status !== 200)
    return [
      bad(
        'health',
        `${healthUrls.join(', ')} answers ${statusText(status)}, not 200: a deploy that does not mend it is rolled back. Mend the site, or name by HEALTH_URL an address that answers 200 when it works.`,
      ),
    ];
  return [
    doubt === undefined
      ? good('health', '200')
      : bad('health', `${healthUrls.join(', ')} answers 200, but ${doubt}: every deploy would be rolled back.`),
  ];
}

async function notifiers({ host, settings }: Examined): Promise<readonly Check[]> {
  return Promise.all(notifiersFor(host, settings).map(notifier));
}

/** Nothing is sent. */
async function notifier({ channel, reach }: Notifier): Promise<Check> {
  try {
    await reach();
    return good('notifier', `${channel} can be reached`);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return bad('notifier', `${channel}: ${error.message}`);
  }
}
