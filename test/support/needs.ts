import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';

/** Where Debian installs servers, which is not on every user's PATH. */
const SERVER_FOLDERS = '/usr/sbin:/sbin';

/**
 * Whether the program is installed. Without it the test is skipped; in CI it fails, because nobody reads skips there.
 */
export function needs(t: TestContext, program: string): boolean {
  if (whereIs(program) !== undefined) return true;
  if (process.env.CI) throw new Error(`${program} is not installed`);
  t.skip(`${program} is not installed`);
  return false;
}

/** The program's path. */
export function whereIs(program: string): string | undefined {
  const folders = `${process.env.PATH ?? ''}${delimiter}${SERVER_FOLDERS}`.split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}
