// Writes dist/types: the declarations of the library, and of what they name. Those of the rest of the program stay out
// of the package.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const entry = 'src/library/index.d.ts';
/** Its package is bundled, and published by nobody. */
const embeddedCluster = 'packages/embedded-cluster/src/index.ts';
const imported = /(from |import\()(['"])(\.[^'"]+)\.(?:ts|js)\2/g;

const emitted = mkdtempSync(join(tmpdir(), 'holdfast-types-'));
try {
  const tsc = join(root, 'node_modules/.bin/tsc');
  const made = spawnSync(tsc, ['-p', 'src/library', '--outDir', emitted], { cwd: root, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`tsc wrote no declarations: ${made.stdout}${made.stderr}`);
  rmSync(join(root, 'dist/types'), { recursive: true, force: true });
  keep(entry);
} finally {
  rmSync(emitted, { recursive: true });
}

/** With what it imports. `./x.js` leads to its declarations whatever the settings of whoever imports it. */
function keep(path: string, from = emitted, to = join(root, 'dist/types'), kept: Set<string> = new Set()): void {
  if (kept.has(join(to, path))) return;
  kept.add(join(to, path));
  const upTo = (name: string): string => `${'../'.repeat(path.split('/').length - 1) || './'}${name}`;
  const text = readFileSync(join(from, path), 'utf8')
    .replaceAll("'@holdfast/embedded-cluster'", `'${relative(dirname(path), embeddedCluster)}'`)
    .replaceAll("'zod'", `'${upTo('zod/index.js')}'`);
  const target = join(to, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text.replaceAll(imported, '$1$2$3.js$2'));
  for (const [, , , name = ''] of text.matchAll(imported)) {
    const next = normalize(join(dirname(path), `${name}.d.ts`));
    // The package has no dependencies, so that it brings these declarations itself.
    if (next === 'zod/index.d.ts') keep('index.d.ts', join(root, 'node_modules/zod'), join(to, 'zod'), kept);
    else keep(next, from, to, kept);
  }
}
