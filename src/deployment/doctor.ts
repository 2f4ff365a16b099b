import type { Command, Host } from '../host/host.ts';
import type { Checkout } from './checkout/checkout.ts';
import { git } from './git/git.ts';
import { statusText } from './log/sentence.ts';
import { findMeans } from './opcache/refresh.ts';
import { checkHealth } from './record/health.ts';
import { readHistory } from './record/history.ts';
import { trustIn } from './record/trust.ts';
import { liveRelease, servedCheckout } from './releases/live-release.ts';
import { serverPrograms } from './releases/private-server.ts';
import { readReleases } from './releases/release.ts';
import { environmentTrouble } from './run/environment-file.ts';
import { logTrouble } from './run/log-file.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import type { Step } from './settings/steps.ts';
import { problems, statusOf } from './status.ts';
import { findUnreadable } from './verify/unreadable.ts';

/** The result of one check; `said` is a whole sentence where it is not ok. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly said: string;
}

/** Checks everything that would break a deploy. Changes nothing. */
export async function examine(host: Host, settings: DeploymentSettings, checkout: Checkout): Promise<readonly Check[]> {
  const checks = [
    state,
    releases,
    remote,
    locks,
    env,
    log,
    space,
    programs,
    scripts,
    health,
    opcache,
    owners,
    modes,
    notifiers,
  ];
  return (await Promise.all(checks.map((check) => check({ host, settings, checkout })))).flat();
}

interface Examined {
  readonly host: Host;
  readonly settings: DeploymentSettings;
  readonly checkout: Checkout;
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
  if (listed.exitCode === 2) return [bad('remote', `origin has no branch ${branch}.`)];
  return [bad('remote', `origin cannot be reached: ${lastLine(listed.stderr)}.`)];
}

async function branchAt({ host, settings, checkout }: Examined, commit: string): Promise<Check> {
  const { quarantined } = trustIn(await readHistory(host.files, checkout.stateFolder));
  const because = quarantined.get(commit);
  const place = `${settings.branch} is at ${commit.slice(0, 7)}`;
  return because === undefined
    ? good('remote', place)
    : bad('remote', `${place}, which was found bad; push a new commit, or use --again: ${because}.`);
}

/** git makes this lock while it works, and refuses to work where it exists. */
async function locks({ host, checkout }: Examined): Promise<readonly Check[]> {
  const lock = `${checkout.gitFolder}/index.lock`;
  if ((await host.files.stat(lock)) === undefined) return [];
  return [bad('git', `${lock} exists: another git works in the checkout, or one was killed and left it.`)];
}

async function env(examined: Examined): Promise<readonly Check[]> {
  const { environmentFile: path } = examined.settings;
  const trouble = await environmentTrouble(examined);
  if (trouble !== undefined) return [bad('env', trouble)];
  const isThere = path !== undefined && (await examined.host.files.stat(`${examined.checkout.directory}/${path}`));
  return isThere ? [good('env', `${path} can be read`)] : [];
}

async function log(examined: Examined): Promise<readonly Check[]> {
  const { logFile } = examined.settings;
  const trouble = await logTrouble(examined.host, examined.settings);
  if (trouble !== undefined) return [bad('log', trouble)];
  const test = 'if [ -e "$1" ]; then [ ! -d "$1" ] && [ -w "$1" ]; else [ -w "$(dirname -- "$1")" ]; fi';
  // Without `cwd`: the log is opened from the same directory.
  const options = { env: examined.settings.environment, timeoutSeconds: 10 };
  const { exitCode } = await examined.host.run(['sh', '-c', test, 'sh', logFile], options);
  return [exitCode === 0 ? good('log', logFile) : bad('log', `The deployment log ${logFile} cannot be written.`)];
}

async function space({ host, checkout }: Examined): Promise<readonly Check[]> {
  const { bytes, files } = await host.files.freeSpace(checkout.directory);
  const mebibytes = Math.floor(bytes / 2 ** 20);
  if (mebibytes < minimumMebibytes) return [bad('space', `Only ${mebibytes} MiB are free.`)];
  if (files < minimumFiles) return [bad('space', `There is room for only ${files} more files.`)];
  return [good('space', `${mebibytes} MiB are free`)];
}

/** A deploy measures its own need; below these figures there is too little room for any deploy. */
const minimumMebibytes = 100;
const minimumFiles = 1000;

async function programs(examined: Examined): Promise<readonly Check[]> {
  const { settings } = examined;
  const named = [...stepsOf(settings).map(({ command }) => command[0]), ...serverPrograms(settings)];
  return Promise.all(
    ['git', ...new Set(named)].map(async (program) => {
      const { exitCode, stdout } = await run(examined, ['sh', '-c', 'command -v -- "$1"', 'sh', program], 10);
      return exitCode === 0
        ? good('program', stdout.trim())
        : bad('program', `${program} is not on the PATH of the deploy.`);
    }),
  );
}

/** A PHP script of the steps that is not in the checkout is only mentioned: it may be made by an earlier step. */
async function scripts({ host, settings, checkout }: Examined): Promise<readonly Check[]> {
  const { directory } = await servedCheckout({ host, settings, checkout });
  const named = [...new Set(stepsOf(settings).flatMap(({ command }) => scriptOf(command)))];
  const there = await Promise.all(named.map((script) => host.files.stat(`${directory}/${script}`)));
  const missing = named.filter((_, index) => there[index] === undefined);
  return missing.map((script) => good('script', `${script} is not in ${directory}, but a step runs it`));
}

function scriptOf([program, script = '-']: Command): readonly string[] {
  return /(?:^|\/)php[\d.]*$/.test(program) && !/^[-/]/.test(script) ? [script] : [];
}

function stepsOf({ caches, steps }: DeploymentSettings): readonly Step[] {
  return [...caches.clear, ...caches.rebuild, ...steps.before, ...steps.after];
}

async function health({ host, settings }: Examined): Promise<readonly Check[]> {
  const { healthUrls, health: rules } = settings;
  if (healthUrls.length === 0) return [];
  const { status, doubt } = await checkHealth(host, healthUrls, { ...rules, attempts: 1, consecutive: 1 });
  if (status === 0)
    return [bad('health', 'The health address cannot be reached from here: every deploy would be rolled back.')];
  if (status !== 200) return [bad('health', `The health address answers ${statusText(status)}, not 200.`)];
  return [doubt === undefined ? good('health', '200') : bad('health', `The health address answers 200, but ${doubt}.`)];
}

async function opcache({ host, settings, checkout }: Examined): Promise<readonly Check[]> {
  const means = await findMeans(host, settings, await servedCheckout({ host, settings, checkout }));
  switch (means.by) {
    case 'not-needed':
      return [good('opcache', 'no php-fpm runs here'), ...warned(means.warnings)];
    case 'fastcgi':
      return [good('opcache', `reset by FastCGI at ${means.caches.flat().join(', ')}`), ...warned(means.warnings)];
    case 'command':
      return [good('opcache', 'reset by the command opcache.reload')];
    case 'waiting':
      return [good('opcache', `every deploy waits ${means.seconds} s: ${means.because}`)];
    case 'impossible':
      return [bad('opcache', means.because)];
  }
}

/** What php-fpm cannot read, where it runs as another user than the deploy. */
async function modes({ host, settings, checkout }: Examined): Promise<readonly Check[]> {
  const found = await findUnreadable(host, settings, await servedCheckout({ host, settings, checkout }));
  return found.flatMap(({ user, tracked, caches }) => [
    ...unreadable(user, 'tracked files or folders', tracked),
    ...unreadable(user, 'caches', caches),
  ]);
}

function unreadable(user: string, what: string, paths: readonly string[]): readonly Check[] {
  if (paths.length === 0) return [];
  const which = `${paths.length}, such as ${paths[0]}`;
  return [
    bad('modes', `php-fpm runs as ${user}, who cannot read ${what}: ${which}. chmod go+rX lets others read them.`),
  ];
}

/** Nothing that breaks a deploy. */
function warned(warnings: readonly string[] = []): readonly Check[] {
  return warnings.map((warning) => good('opcache', warning));
}

async function owners(examined: Examined): Promise<readonly Check[]> {
  const { directory, self } = examined.checkout;
  const others = placesOfOthers(examined.settings).flatMap((path) => ['-o', '-path', `${directory}/${path}`]);
  const pruned = ['(', ...others.slice(1), ')', '-prune'];
  const find = ['find', directory, '-xdev', ...pruned, '-o', '!', '-uid', String(self.userId), '-print'] as const;
  const foreign = (await run(examined, find, 60)).stdout.split('\n').filter((path) => path !== '');
  if (foreign.length === 0) return [good('owners', 'every file belongs to the user of the deploy')];
  return [bad('owners', `${foreign.length} files belong to another user, such as ${foreign[0]}.`)];
}

/** Folders that the application itself writes to, as patterns from the checkout's top. */
function placesOfOthers({ mode, releases: { folder, folders, shared } }: DeploymentSettings): readonly string[] {
  if (mode === 'in-place') return ['storage'];
  return ['storage', ...shared, ...Object.values(folders).map(({ path }) => `${folder}/*/${path}`)];
}

async function notifiers(examined: Examined): Promise<readonly Check[]> {
  const { mail, slackWebhookUrl } = examined.settings;
  const chat = slackWebhookUrl === undefined ? [] : [good('notifier', 'a chat webhook is set')];
  if (mail?.transport !== 'sendmail') return chat;
  const { exitCode } = await run(examined, ['sh', '-c', 'PATH=$PATH:/usr/sbin:/usr/lib command -v sendmail'], 10);
  return [
    ...chat,
    exitCode === 0
      ? good('notifier', 'sendmail is installed')
      : bad('notifier', 'There is no sendmail on this machine.'),
  ];
}

function run({ host, settings, checkout }: Examined, command: readonly [string, ...string[]], timeoutSeconds: number) {
  const env = command[0] === 'git' ? checkout.gitEnvironment : settings.environment;
  return host.run(command, { cwd: checkout.directory, env, timeoutSeconds });
}

function good(name: string, said: string): Check {
  return { name, ok: true, said };
}

function bad(name: string, said: string): Check {
  return { name, ok: false, said };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
