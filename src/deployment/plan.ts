import type { Command } from '../host/host.ts';
import { localEdits } from './blast-radius/local-edits.ts';
import type { Step } from './caches/steps.ts';
import { commitOf } from './commits.ts';
import { fetch, fetchedReference } from './fetch.ts';
import { quoted } from './quoted.ts';
import { reset } from './reset.ts';
import type { DeploymentSettings } from './settings.ts';

/** What `deploy --dry-run` prints: the exact commands, in order, as a shell reads them. Nothing is run. */
export function plan(settings: DeploymentSettings): string {
  const { appDir, branch, caches, steps, variant, healthUrls } = settings;
  const commands = (steps: readonly { readonly command: Command }[]) => steps.map(({ command }) => shellLine(command));
  const basic = variant === 'basic';
  return [
    `cd ${quoted(appDir)}`,
    `previous=$(${shellLine(commitOf('HEAD'))})`,
    shellLine(fetch(branch)),
    `new=$(${shellLine(commitOf(fetchedReference))})`,
    shellLine(localEdits()),
    `${shellLine(reset(''))}"$new"`,
    ...(basic ? [] : [...around(steps.before), ...commands(caches.clear)]),
    ...commands(caches.rebuild),
    ...(basic ? [] : around(steps.after)),
    ...(basic ? [] : [`# GET ${healthUrls.join(', ')}: any status but 200 rolls back:`]),
    ...(basic ? [] : [`# ${shellLine(reset(''))}"$previous"`, ...commands(caches.rebuild).map((line) => `# ${line}`)]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** The settings' own steps; which files have changed is only known when the branch has been fetched. */
function around(steps: readonly Step[]): readonly string[] {
  return steps
    .filter(({ on }) => on !== 'rollback')
    .map(({ command, whenChanged }) => {
      const condition = whenChanged === undefined ? '' : ` # where this changed: ${whenChanged.join(', ')}`;
      return `${shellLine(command)}${condition}`;
    });
}

function shellLine(command: Command): string {
  return command.map((word) => (word === '' ? '' : quoted(word))).join(' ');
}
