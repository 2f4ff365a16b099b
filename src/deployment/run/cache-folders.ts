import { userName } from '../checkout/user-name.ts';
import type { Step } from '../settings/steps.ts';
import type { Workspace } from './run.ts';

/**
 * Why the steps of the caches could not write, as a sentence that names each folder and its owner; undefined where they
 * can.
 */
export async function cacheFolderTrouble(
  given: Pick<Workspace, 'host' | 'settings' | 'checkout'>,
): Promise<string | undefined> {
  const { host, settings } = given;
  // A release makes its own.
  if (settings.mode === 'releases') return undefined;
  const { directory } = given.checkout;
  const { clear, rebuild } = settings.caches;
  const folders = [...new Set([...clear, ...rebuild].flatMap(foldersOf))].map((folder) => `${directory}/${folder}`);
  if (folders.length === 0) return undefined;
  const test = 'for folder; do if [ -d "$folder" ] && [ ! -w "$folder" ]; then printf "%s\\n" "$folder"; fi; done';
  const options = { cwd: directory, env: settings.environment, timeoutSeconds: 10 };
  const { stdout } = await host.run(['sh', '-c', test, 'sh', ...folders], options);
  const shut = stdout.split('\n').filter((line) => line !== '');
  if (shut.length === 0) return undefined;
  const named = await Promise.all(
    shut.map(
      async (folder) => `${folder} (of ${await userName(host.files, (await host.files.stat(folder))?.uid ?? 0)})`,
    ),
  );
  return `The user of the deploy cannot write ${named.join(', ')}, where its caches are: give it the folder, or a group that both users are in.`;
}

/** The folders that a step removes files from, or writes them into. */
function foldersOf({ leaves, publish = [], together }: Step): readonly string[] {
  const left = leaves === undefined ? [] : Object.values(leaves).map((path) => path.slice(0, path.lastIndexOf('/')));
  const published = [...publish, ...(together?.publish ?? [])].map(({ to }) =>
    to.endsWith('.php') ? to.slice(0, to.lastIndexOf('/')) : to,
  );
  return [...left, ...published];
}
