import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { needs } from '../../support/needs.ts';
import type { Site } from './site.ts';

/**
 * Does the work while a path has an attribute of chattr(1). Where the file system or the user cannot set it, the test
 * is skipped, visibly.
 */
export async function locked(
  t: TestContext,
  site: Pick<Site, 'app'>,
  what: 'i' | 'a',
  path: string,
  work: () => Promise<void>,
) {
  if (!needs(t, 'chattr')) return;
  const file = join(site.app, path);
  const { status, stderr } = spawnSync('chattr', [`+${what}`, file], { encoding: 'utf8' });
  if (status !== 0) return t.skip(`chattr +${what}: ${stderr.trim()}`);
  try {
    await work();
  } finally {
    // Before the folder goes with the test.
    spawnSync('chattr', [`-${what}`, file]);
  }
}
