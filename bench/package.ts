import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The program of a clone as users install it: built, without its sources. The caller removes the folder. */
export function buildPackage(clone = join(import.meta.dirname, '..')): {
  readonly program: string;
  readonly folder: string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-package-'));
  for (const name of ['bin', 'package.json', 'build.js', 'packaging', 'src'])
    cpSync(join(clone, name), join(folder, name), { recursive: true });
  symlinkSync(join(clone, 'node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['build.js'], { cwd: folder });
  rmSync(join(folder, 'src'), { recursive: true });
  return { program: join(folder, 'bin/holdfast.js'), folder };
}
