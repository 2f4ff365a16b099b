import type { Host } from '../../host/host.ts';
import type { Checkout } from '../checkout.ts';
import { git } from '../git.ts';
import { checkHealth } from '../health.ts';
import { findMeans } from '../opcache/refresh.ts';
import { liveRelease, servedCheckout } from '../releases/live-release.ts';
import { readReleases } from '../releases/release.ts';
import { statusText } from '../sentence.ts';
import type { DeploymentSettings } from '../settings.ts';
import { problems, statusOf } from '../status.ts';

/** One thing that was looked at; what is wrong is a whole sentence. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly said: string;
}

/** Everything that would break a deploy. Looks and changes nothing. */
export async function examine(host: Host, settings: DeploymentSettings, checkout: Checkout): Promise<readonly Check[]> {
  const checks = [state, releases, remote, space, programs, health, opcache, owners, notifiers];
  return (await Promise.all(checks.map((check) => check({ host, settings, checkout })))).flat();
}

interface Patient {
  readonly host: Host;
  readonly settings: DeploymentSettings;
  readonly checkout: Checkout;
}

async function state({ host, settings, checkout }: Patient): Promise<readonly Check[]> {
  const wrong = problems(await statusOf(host, checkout, settings));
  if (wrong.length === 0) return [good('state', 'no killed run, no freeze, no local edits')];
  return wrong.map((sentence) => bad('state', sentence));
}

async function releases({ host, settings, checkout }: Patient): Promise<readonly Check[]> {
  if (settings.mode === 'in-place') return [];
  const [live, all] = [await liveRelease(host.files, checkout), await readReleases(host.files, checkout)];
  const there = await Promise.all(
    settings.releases.shared.map((path) => host.files.stat(`${checkout.directory}/${path}`)),
  );
  const missing = settings.releases.shared.filter((_, index) => there[index] === undefined);
  return [
    good('releases', live === undefined ? 'none is live yet' : `${live.name} is live, of ${all.length}`),
    ...(missing.length === 0 ? [] : [good('shared', `not there, and left out: ${missing.join(', ')}`)]),
  ];
}

async function remote(patient: Patient): Promise<readonly Check[]> {
  const { branch } = patient.settings;
  const reference = `refs/heads/${branch}`;
  const listed = await run(patient, git('ls-remote', '--exit-code', '--end-of-options', 'origin', reference), 30);
  if (listed.exitCode === 0) return [good('remote', `${branch} is at ${listed.stdout.slice(0, 7)}`)];
  if (listed.exitCode === 2) return [bad('remote', `origin has no branch ${branch}.`)];
  return [bad('remote', `origin cannot be reached: ${lastLine(listed.stderr)}.`)];
}

async function space({ host, checkout }: Patient): Promise<readonly Check[]> {
  const { bytes, files } = await host.files.freeSpace(checkout.directory);
  const mebibytes = Math.floor(bytes / 2 ** 20);
  if (mebibytes < minimumMebibytes) return [bad('space', `Only ${mebibytes} MiB are free.`)];
  if (files < minimumFiles) return [bad('space', `Only ${files} files can be made.`)];
  return [good('space', `${mebibytes} MiB are free`)];
}

/** A deploy finds out what it needs itself; below this any deploy is short of room. */
const minimumMebibytes = 100;
const minimumFiles = 1000;

async function programs(patient: Patient): Promise<readonly Check[]> {
  const { caches, steps } = patient.settings;
  const named = [...caches.clear, ...caches.rebuild, ...steps.before, ...steps.after].map(({ command }) => command[0]);
  const results = await Promise.all(
    ['git', ...new Set(named)].map(async (program) => {
      const { exitCode, stdout } = await run(patient, ['sh', '-c', 'command -v -- "$1"', 'sh', program], 10);
      return exitCode === 0
        ? good('program', stdout.trim())
        : bad('program', `${program} is not on the PATH of the deploy.`);
    }),
  );
  return results;
}

async function health({ host, settings }: Patient): Promise<readonly Check[]> {
  const { healthUrls, health: rules } = settings;
  if (healthUrls.length === 0) return [];
  const { status, doubt } = await checkHealth(host, healthUrls, { consecutive: 1, timeout: rules.timeout });
  if (status === 0)
    return [bad('health', 'The health address cannot be reached from here: every deploy would be rolled back.')];
  if (status !== 200) return [bad('health', `The health address answers ${statusText(status)}, not 200.`)];
  return [doubt === undefined ? good('health', '200') : bad('health', `The health address answers 200, but ${doubt}.`)];
}

async function opcache({ host, settings, checkout }: Patient): Promise<readonly Check[]> {
  const means = await findMeans(host, settings, await servedCheckout({ host, settings, checkout }));
  switch (means.by) {
    case 'nothing':
      return [good('opcache', 'no php-fpm runs here')];
    case 'fastcgi':
      return [good('opcache', `told by FastCGI at ${means.addresses.join(', ')}`)];
    case 'command':
      return [good('opcache', 'told by the command of the settings')];
    case 'waiting':
      return [good('opcache', `waited for, ${means.seconds} s: ${means.because}`)];
    case 'none':
      return [bad('opcache', means.because)];
  }
}

async function owners(patient: Patient): Promise<readonly Check[]> {
  const { directory, self } = patient.checkout;
  const others = placesOfOthers(patient.settings).flatMap((path) => ['-o', '-path', `${directory}/${path}`]);
  const pruned = ['(', ...others.slice(1), ')', '-prune'];
  const find = ['find', directory, '-xdev', ...pruned, '-o', '!', '-uid', String(self.userId), '-print'] as const;
  const foreign = (await run(patient, find, 60)).stdout.split('\n').filter((path) => path !== '');
  if (foreign.length === 0) return [good('owners', 'every file belongs to the user of the deploy')];
  return [bad('owners', `${foreign.length} files belong to another user, such as ${foreign[0]}.`)];
}

/** Where the application itself writes, as patterns from the checkout's top; a folder of a release's own is in each of them. */
function placesOfOthers({ mode, releases: { folder, folders, shared } }: DeploymentSettings): readonly string[] {
  if (mode === 'in-place') return ['storage'];
  return ['storage', ...shared, ...Object.values(folders).map(({ path }) => `${folder}/*/${path}`)];
}

async function notifiers(patient: Patient): Promise<readonly Check[]> {
  const { mail, slackWebhookUrl } = patient.settings;
  const chat = slackWebhookUrl === undefined ? [] : [good('notifier', 'a chat webhook is set')];
  if (mail?.transport !== 'sendmail') return chat;
  const { exitCode } = await run(patient, ['sh', '-c', 'PATH=$PATH:/usr/sbin:/usr/lib command -v sendmail'], 10);
  return [
    ...chat,
    exitCode === 0 ? good('notifier', 'sendmail is there') : bad('notifier', 'There is no sendmail on this machine.'),
  ];
}

function run({ host, settings, checkout }: Patient, command: readonly [string, ...string[]], timeoutSeconds: number) {
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
