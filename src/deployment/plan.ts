import type { Command } from '../host/host.ts';
import { localEdits } from './blast-radius/local-edits.ts';
import { commitOf } from './commits.ts';
import { fetch, fetchedReference } from './fetch.ts';
import { quoted } from './quoted.ts';
import { reset } from './reset.ts';
import type { DeploymentSettings } from './settings.ts';

/** What `deploy --dry-run` prints: the exact commands, in order, as a shell reads them. Nothing is run. */
export function plan(settings: DeploymentSettings): string {
  const { appDir, branch, caches, variant, healthUrls } = settings;
  const commands = (steps: readonly { readonly command: Command }[]) => steps.map(({ command }) => shellLine(command));
  const basic = variant === 'basic';
  return [
    `cd ${quoted(appDir)}`,
    `previous=$(${shellLine(commitOf('HEAD'))})`,
    shellLine(fetch(branch)),
    `new=$(${shellLine(commitOf(fetchedReference))})`,
    shellLine(localEdits()),
    `${shellLine(reset(''))}"$new"`,
    ...(basic ? [] : commands(caches.clear)),
    ...commands(caches.rebuild),
    ...(basic ? [] : [`# GET ${healthUrls.join(', ')}: any status but 200 rolls back:`]),
    ...(basic ? [] : [`# ${shellLine(reset(''))}"$previous"`, ...commands(caches.rebuild).map((line) => `# ${line}`)]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function shellLine(command: Command): string {
  return command.map((word) => (word === '' ? '' : quoted(word))).join(' ');
}
