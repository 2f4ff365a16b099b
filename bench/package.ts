import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The program of a clone as users install it: built, without its sources. The folder is removed when this process
 * exits.
 */
export function buildPackage(clone = join(import.meta.dirname, '..')): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-package-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  const needed = [
    'bin',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'build.js',
    'packaging',
    'packages',
    'src',
  ];
  for (const name of needed)
    if (existsSync(join(clone, name))) cpSync(join(clone, name), join(folder, name), { recursive: true });
  symlinkSync(join(clone, 'node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['build.js'], { cwd: folder });
  for (const name of ['src', 'packages']) rmSync(join(folder, name), { recursive: true, force: true });
  return join(folder, 'bin/holdfast.js');
}
