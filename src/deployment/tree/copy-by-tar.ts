import type { CommandResult } from '../../host/host.ts';
import { runStep, type Workspace } from '../run/run.ts';
import { nulEnded } from './paths-on-input.ts';

/** Copies what is missing in the checkout from below this folder. tar brings the ACLs of a folder along. */
export async function copyMissing(run: Workspace, from: string, paths: readonly string[]): Promise<void> {
  const script = `${creating} --files-from=- | ${extracting} --skip-old-files`;
  await warn(run, await copy(run, 'return kept files', script, [from, run.checkout.directory], paths));
}

/** Makes these folders of the checkout, empty, with the modes, owners and ACLs that they have below another one. */
export async function returnFoldersFrom(run: Workspace, from: string, folders: readonly string[]): Promise<void> {
  await warn(run, await copy(run, 'return folders', makingAlike, [from, run.checkout.directory], folders));
}

/** The other way round. An owner or a group that this user cannot give stays its own. */
export async function keepFoldersIn(run: Workspace, to: string, folders: readonly string[]): Promise<void> {
  await copy(run, 'keep folders', `(${makingAlike}) 2>/dev/null; true`, [run.checkout.directory, to], folders);
}

const creating = 'tar --create --file=- --acls --xattrs --directory="$1" --null --verbatim-files-from';
const extracting = 'tar --extract --file=- --acls --xattrs --preserve-permissions --same-owner --directory="$2"';
const makingAlike = `${creating} --no-recursion --files-from=- | ${extracting}`;

/** Undefined where there is nothing to copy. */
async function copy(
  run: Workspace,
  name: string,
  script: string,
  tops: readonly [from: string, to: string],
  paths: readonly string[],
): Promise<CommandResult | undefined> {
  if (paths.length === 0) return undefined;
  const options = { env: run.settings.environment, answers: true, stdin: nulEnded(paths) } as const;
  return runStep(run, name, ['sh', '-c', script, 'sh', ...tops], options);
}

async function warn(run: Workspace, copied: CommandResult | undefined): Promise<void> {
  if (copied === undefined || copied.exitCode === 0) return;
  const last = copied.stderr.trim().split('\n').at(-1) ?? '';
  await run.log.line('ERROR', `Not all of it could be put back: ${last}`);
}
