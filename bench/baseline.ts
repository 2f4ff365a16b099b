import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from './package.ts';

/** The commit that figures are compared with: README.md says why this one. It moves forward only, by a decision. */
export const baselineCommit = 'db91723c1001e6dba6f8d489f969b47928ed6a8b';

/**
 * The program of that commit as users install it. Its clone is made once, with the dependencies of its lock file; the
 * history must hold it.
 */
export function baselinePackage(): string {
  const root = join(import.meta.dirname, '..');
  const clone = join(root, 'node_modules/.cache/bench', baselineCommit);
  if (!existsSync(clone)) {
    const unfinished = `${clone}.unfinished`;
    execFileSync('rm', ['-rf', unfinished]);
    execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', root, unfinished]);
    execFileSync('git', ['checkout', '--quiet', '--detach', baselineCommit], { cwd: unfinished });
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: unfinished, stdio: 'pipe' });
    renameSync(unfinished, clone);
  }
  return buildPackage(clone);
}
