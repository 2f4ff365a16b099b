import type { Command } from '../host/host.ts';
import { commitOf } from './git/commits.ts';
import { fetch, fetchedReference } from './git/fetch.ts';
import { localEdits } from './git/local-edits.ts';
import { reset } from './git/reset.ts';
import { addRelease, behindSeconds } from './releases/make-release.ts';
import { phpOf } from './releases/private-server.ts';
import { artisanDown } from './run/maintenance.ts';
import { linkName } from './settings/contradictions.ts';
import type { OwnFolder } from './settings/preset.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import type { Step } from './settings/steps.ts';
import { quoted } from './way-back/by-hand.ts';

/** The lines of `deploy --dry-run`: the commands of a deploy in order, as a POSIX shell reads them. Nothing is run. */
export function plan(settings: DeploymentSettings): readonly string[] {
  return settings.mode === 'releases' ? planOfRelease(settings) : planInPlace(settings);
}

function planInPlace(settings: DeploymentSettings): readonly string[] {
  const { appDir, branch, caches, steps, variant, healthUrls } = settings;
  const basic = variant === 'basic';
  return [
    `cd ${quoted(appDir)}`,
    `previous=$(${shellLine(commitOf('HEAD'))})`,
    shellLine(fetch(branch)),
    `new=$(${shellLine(commitOf(fetchedReference))})`,
    shellLine(localEdits()),
    ...closing(settings),
    `${shellLine(reset(''))}"$new"`,
    ...(basic ? [] : [...around(steps.before), ...commands(caches.clear)]),
    ...commands(caches.rebuild),
    ...(basic ? [] : around(steps.after)),
    ...opening(settings),
    ...(basic ? [] : [`# GET ${healthUrls.join(', ')}: any status but 200 rolls back:`]),
    ...(basic ? [] : [`# ${shellLine(reset(''))}"$previous"`, ...commands(caches.rebuild).map((line) => `# ${line}`)]),
  ];
}

/** The same for the mode `releases`: everything before the switch is done in the folder of the new release. */
function planOfRelease(settings: DeploymentSettings): readonly string[] {
  const { appDir, branch, caches, steps, releases, variant, healthUrls } = settings;
  const basic = variant === 'basic';
  const folder = releases.folder.startsWith('/') ? quoted(releases.folder) : `"$PWD"/${quoted(releases.folder)}`;
  const switchTo = (release: string) => `ln -s "${release}" ${linkName}.new && mv -T ${linkName}.new ${linkName}`;
  return [
    `cd ${quoted(appDir)}`,
    `previous=$(readlink -f ${linkName})`,
    shellLine(fetch(branch)),
    `new=$(${shellLine(commitOf(fetchedReference))})`,
    `release=${folder}/$(date -u +%Y%m%dT%H%M%SZ)-$new`,
    `${shellLine(addRelease)} "$release" "$new"`,
    `find "$release" -xdev -type f -name '*.php' -exec touch --no-dereference --date='${behindSeconds} seconds ago' {} +`,
    ...releases.shared.flatMap(sharing),
    ...Object.entries(releases.folders).flatMap(ownFolder),
    ...(basic ? [] : closing(settings)),
    'cd "$release"',
    ...(basic ? [] : [...making(steps.before), ...commands(caches.clear)]),
    ...commands(caches.rebuild),
    'sync -f "$release"',
    ...(settings.health.before
      ? [`# GET the same of ${shellLine(privateServer(settings))}: any status but 200 ends here`]
      : []),
    `cd ${quoted(appDir)} && ${switchTo('$release')}`,
    ...(basic ? [] : ['cd "$release"', ...around(steps.after)]),
    ...(basic ? [] : opening(settings)),
    ...(basic ? [] : [`# GET ${healthUrls.join(', ')}: any status but 200 rolls back:`]),
    ...(basic ? [] : [`# cd ${quoted(appDir)} && ${switchTo('$previous')}`]),
  ];
}

function privateServer(settings: DeploymentSettings): Command {
  return [phpOf(settings), '-S', '127.0.0.1:0', '-t', settings.webRoots[0] ?? '.'];
}

function closing({ maintenance, php }: DeploymentSettings): readonly string[] {
  if (maintenance === undefined) return [];
  return [
    maintenance.file === undefined
      ? shellLine(artisanDown(php, maintenance.retryAfter))
      : `touch ${quoted(maintenance.file)}`,
  ];
}

function opening({ maintenance, php }: DeploymentSettings): readonly string[] {
  if (maintenance === undefined) return [];
  return [maintenance.file === undefined ? `${quoted(php)} artisan up` : `rm -f ${quoted(maintenance.file)}`];
}

/** Shares one path; one that neither the checkout nor the commit has is left out. */
function sharing(path: string): readonly string[] {
  const [lasting, own] = [quoted(path), `"$release"/${quoted(path)}`];
  const above = quoted(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  const make = above === "''" ? '' : `mkdir -p ${above} "$release"/${above}; `;
  return [
    `if [ -e ${own} ] && [ ! -e ${lasting} ]; then ${make}cp --archive ${own} ${lasting}; fi`,
    `if [ -e ${lasting} ]; then ${make}rm -rf ${own}; ln -s "$PWD"/${lasting} ${own}; fi`,
  ];
}

function ownFolder([name, { path, like }]: readonly [string, OwnFolder]): readonly string[] {
  const own = `"$release"/${quoted(path)}`;
  const copies = ['chgrp', 'chmod'].map((program) => `${program} --reference=${quoted(like)} ${own}`);
  const copy = `if [ -e ${quoted(like)} ]; then ${copies.join('; ')}; fi # and its ACLs`;
  return [`export ${name}=${own}`, `mkdir -p ${own}`, copy];
}

/** A new release has nothing of a former deploy: its steps run whatever files have changed. */
function making(steps: readonly Step[]): readonly string[] {
  return commands(steps.filter(({ on }) => on !== 'rollback'));
}

function commands(steps: readonly Pick<Step, 'command' | 'folder'>[]): readonly string[] {
  return steps.map(lineOf);
}

function lineOf({ command, folder }: Pick<Step, 'command' | 'folder'>): string {
  return folder === undefined ? shellLine(command) : `(cd ${quoted(folder)} && ${shellLine(command)})`;
}

/** The steps of the settings; the files that have changed are known only after the fetch. */
function around(steps: readonly Step[]): readonly string[] {
  return steps
    .filter(({ on }) => on !== 'rollback')
    .map(({ whenChanged, ...step }) => {
      const condition = whenChanged === undefined ? '' : ` # only where this has changed: ${whenChanged.join(', ')}`;
      return `${lineOf(step)}${condition}`;
    });
}

function shellLine(command: Command): string {
  return command.map((word) => (word === '' ? '' : quoted(word))).join(' ');
}
