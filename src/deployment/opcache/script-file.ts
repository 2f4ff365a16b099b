import type { Files, Host } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';

/** The pool's script, as the file that php-fpm runs. */
type ScriptHost = Pick<Host, 'files' | 'random' | 'clock'>;

/**
 * Writes the script into the state folder, where it stays under one name; the path. Its time lies ahead: a file that is
 * younger than `opcache.file_update_protection` is compiled and not kept, however long the request waits for a worker.
 */
export async function writeScript(
  { files, clock }: ScriptHost,
  { stateFolder }: Pick<Checkout, 'stateFolder'>,
  text: string,
): Promise<string> {
  const path = `${stateFolder}/${scriptName}`;
  await files.makeFolder(stateFolder, { mode: 0o700 });
  const there = await files.stat(path);
  const isAhead = there?.kind === 'file' && there.modifiedAt > clock.wallAt() + dayMilliseconds / 2;
  if (!isAhead || (await files.read(path)) !== text)
    await files.replace(path, text, { mode: readable, modifiedAt: clock.wallAt() + dayMilliseconds });
  if (!isAhead || there.mode !== readable) await files.setMode(path, readable);
  return path;
}

/**
 * Where the pool's user may not enter the state folder: it may from now on, and may read nothing else in it. False when
 * it could already.
 */
export async function admitOthers(files: Files, { stateFolder }: Pick<Checkout, 'stateFolder'>): Promise<boolean> {
  const folder = await files.stat(stateFolder);
  if (folder === undefined || (folder.mode & enterOnly) === enterOnly) return false;
  for (const name of await files.list(stateFolder)) {
    const there = await files.stat(`${stateFolder}/${name}`);
    const isOurs = name !== scriptName && (there?.kind === 'file' || there?.kind === 'folder');
    if (isOurs && (there.mode & 0o077) !== 0) await files.setMode(`${stateFolder}/${name}`, there.mode & 0o700);
  }
  await files.setMode(stateFolder, folder.mode | enterOnly);
  return true;
}

/**
 * For a pool that sees nothing of the checkout's repository: the script under a name of its own in /tmp, for the time
 * of the work.
 */
export async function withTemporaryScript<T>(
  { files, random, clock }: ScriptHost,
  text: string,
  work: (path: string) => Promise<T>,
): Promise<T | undefined> {
  const number = Math.floor(random('opcache-script')() * 2 ** 48).toString(36);
  const path = `${temporaryFolder}/${oldName}${Math.floor(clock.wallAt() / 1000)}-${number}.php`;
  const options = { mode: readable, modifiedAt: clock.wallAt() + dayMilliseconds };
  if (!(await files.create(path, text, options))) return undefined;
  try {
    await files.setMode(path, readable);
    return await work(path);
  } finally {
    await files.remove(path);
  }
}

/**
 * Removes the scripts that killed runs have left: those of former versions in the git folder, and our own in /tmp that
 * are older than an hour.
 */
export async function removeOldScripts(
  { files, clock }: Pick<Host, 'files' | 'clock'>,
  { gitFolder, self }: Pick<Checkout, 'gitFolder' | 'self'>,
): Promise<void> {
  const isOld = (name: string): boolean => name.startsWith(oldName) && name.endsWith('.php');
  for (const name of (await files.list(gitFolder)).filter(isOld)) await files.remove(`${gitFolder}/${name}`);
  for (const name of (await files.list(temporaryFolder).catch(() => [])).filter(isOld)) {
    const path = `${temporaryFolder}/${name}`;
    const madeAtSeconds = Number(/-(\d{10,})-\w+\.php$/.exec(name)?.[1] ?? 0);
    const isOver = madeAtSeconds < clock.wallAt() / 1000 - 3600;
    if (isOver && (await files.stat(path))?.uid === self.userId) await files.remove(path).catch(() => undefined);
  }
}

const scriptName = 'opcache.php';
const oldName = 'holdfast-opcache-';
const temporaryFolder = '/tmp';
const readable = 0o644;
const enterOnly = 0o011;
const dayMilliseconds = 86_400_000;
