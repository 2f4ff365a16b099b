import { differences, differencesIn } from '../git/differences.ts';
import { editsSince, pathsIn } from '../git/local-edits.ts';
import { listByGit, runGit, type Workspace } from '../run/run.ts';

/** How many paths a sentence names. */
const mostNamed = 5;

/**
 * The files on disk that are not as in `commit`: other content, missing, or only in one of the `others`. A deploy that
 * could not go back says this, because HEAD does not show it. Undefined where git cannot tell.
 */
async function unlikeOnDisk(
  run: Workspace,
  commit: string,
  others: readonly string[],
): Promise<readonly string[] | undefined> {
  const { exitCode, stdout } = await runGit(run, 'on disk', editsSince(commit), { answers: true });
  if (exitCode !== 0) return undefined;
  const added = await Promise.all(others.map((other) => addedBy(run, commit, other)));
  return [...new Set([...pathsIn(stdout), ...added.flat()])].toSorted();
}

/** The files that only `other` has and that are in the tree. An `OperationError` where git cannot tell. */
export async function addedBy(run: Workspace, commit: string, other: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { letter, path, blobs } of differencesIn(
    await listByGit(run, 'differences', differences(commit, other)),
  )) {
    // The folder of a submodule stays after a reset.
    if (letter !== 'A' || blobs.length === 0) continue;
    if ((await run.host.files.stat(`${run.checkout.directory}/${path}`)) !== undefined) found.push(path);
  }
  return found;
}

/** What is on disk, for the event of a way back that failed. In the mode `releases` the link is. */
export async function onDisk(
  run: Workspace,
  commit: string,
  others: readonly string[],
): Promise<{ readonly onDisk?: string }> {
  if (run.settings.mode === 'releases') return {};
  const unlike = await unlikeOnDisk(run, commit, others).catch(() => undefined);
  return unlike === undefined ? {} : { onDisk: onDiskPhrase(unlike, commit) };
}

function onDiskPhrase(unlike: readonly string[], commit: string): string {
  if (unlike.length === 0) return `all files on disk are those of ${commit}`;
  const more = unlike.length > mostNamed ? ` and ${unlike.length - mostNamed} more` : '';
  const subject = unlike.length === 1 ? 'this file differs' : `these ${unlike.length} files differ`;
  return `on disk ${subject} from ${commit}: ${unlike.slice(0, mostNamed).join(', ')}${more}`;
}
