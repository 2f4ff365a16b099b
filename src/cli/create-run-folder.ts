import { UsageError } from '../host/errors.ts';
import { runFiles, runFolderName } from '../validation/run-folder.ts';
import type { Context } from './context.ts';

/** A folder of its own for every run: one that holds a run already is refused. */
export async function createRunFolder(
  { host }: Pick<Context, 'host'>,
  out: string | undefined,
  kind: 'rehearsal' | 'cluster',
): Promise<string> {
  const folder = out ?? `runs/${runFolderName(host.clock.wallAt(), kind)}`;
  if ((await host.files.stat(`${folder}/${runFiles.journal}`)) !== undefined)
    throw new UsageError([`${folder} already holds a run; give another --out.`]);
  await host.files.makeFolder(folder);
  return folder;
}
