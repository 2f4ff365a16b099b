import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The ids of the processes that serve a release of this checkout to its machine alone. */
export function privateServers(app: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folderIn(app));
    } catch {
      // It has ended meanwhile, or is no process.
      return false;
    }
  });
}

/** What is left of private servers, files among it: nothing after a run. */
export function leftOfServers(app: string): readonly string[] {
  return [...privateServers(app), ...(existsSync(folderIn(app)) ? [folderIn(app)] : [])];
}

const folderIn = (app: string): string => join(app, '.git/holdfast/private-server');
