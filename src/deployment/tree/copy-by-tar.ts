import { runStep, type Workspace } from '../run/run.ts';
import { nulEnded } from './paths-on-input.ts';

/** Copies what is missing in the checkout from below this folder. tar brings the ACLs of a folder along. */
export function copyMissing(run: Workspace, from: string, paths: readonly string[]): Promise<void> {
  const script = `${creating} --files-from=- | ${extracting} --skip-old-files`;
  return copy(run, 'return kept files', script, [from, run.checkout.directory], paths);
}

/**
 * Makes these folders below the second top, empty, with the modes, owners and ACLs that they have below the first one.
 */
export function makeFoldersAlike(
  run: Workspace,
  tops: readonly [from: string, to: string],
  folders: readonly string[],
): Promise<void> {
  return copy(run, 'return folders', `${creating} --no-recursion --files-from=- | ${extracting}`, tops, folders);
}

const creating = 'tar --create --file=- --acls --xattrs --directory="$1" --null --verbatim-files-from';
const extracting = 'tar --extract --file=- --acls --xattrs --preserve-permissions --same-owner --directory="$2"';

async function copy(
  run: Workspace,
  name: string,
  script: string,
  tops: readonly [from: string, to: string],
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  const options = { env: run.settings.environment, answers: true, stdin: nulEnded(paths) } as const;
  const { exitCode, stderr } = await runStep(run, name, ['sh', '-c', script, 'sh', ...tops], options);
  const last = stderr.trim().split('\n').at(-1) ?? '';
  if (exitCode !== 0) await run.log.line('ERROR', `Not all of it could be put back: ${last}`);
}
