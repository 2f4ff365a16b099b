import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { needs } from '../../support/needs.ts';
import type { Site } from './site.ts';

/** The file system of a site's checkout, small and of its own. */
export interface SmallDisk {
  /** Takes all of its free space, also what has become free since the last time. */
  readonly fill: () => void;
  readonly free: () => void;
}

/**
 * Does the work with the checkout on an ext4 file system on a loop device. Only root can; elsewhere the test is
 * skipped, visibly.
 */
export async function onSmallDisk(t: TestContext, site: Site, work: (disk: SmallDisk) => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return t.skip('needs root, to mount a file system');
  if (!needs(t, 'mkfs.ext4') || !needs(t, 'losetup')) return;
  const [image, aside] = [join(site.folder, 'disk'), join(site.folder, 'aside')];
  writeFileSync(image, '');
  truncateSync(image, bytes);
  execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
  renameSync(site.app, aside);
  mkdirSync(site.app);
  const mounted = spawnSync('mount', ['-o', 'loop', image, site.app], { encoding: 'utf8' });
  if (mounted.status !== 0) return t.skip(`no loop device can be mounted here: ${mounted.stderr}`);
  try {
    cpSync(aside, site.app, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    const filler = join(site.app, '.git', 'filler');
    await work({ fill: () => fillUp(filler), free: () => rmSync(filler, { force: true }) });
  } finally {
    // Before the folder goes with the test.
    execFileSync('umount', ['--lazy', site.app]);
  }
}

/** Enough for what a deploy demands before it begins. */
const bytes = 80 * 1024 * 1024;

/**
 * In ever smaller pieces, to the last block; ext4 gives back deleted blocks only when its journal is written, so that
 * comes first.
 */
function fillUp(path: string): void {
  const file = openSync(path, 'a');
  execFileSync('sync', ['--file-system', path]);
  for (let size = 1024 * 1024; size >= 512; size /= 2) {
    const piece = Buffer.alloc(size, 1);
    try {
      for (;;) writeSync(file, piece);
    } catch {
      // No room for a piece of this size.
    }
  }
  closeSync(file);
}
