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
function keep(path: string, kept: Set<string> = new Set()): void {
  if (kept.has(path)) return;
  kept.add(path);
  const cluster = relative(dirname(path), embeddedCluster);
  const text = readFileSync(join(emitted, path), 'utf8').replaceAll("'@holdfast/embedded-cluster'", `'${cluster}'`);
  const target = join(root, 'dist/types', path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text.replaceAll(imported, '$1$2$3.js$2'));
  for (const [, , , name] of text.matchAll(imported)) keep(normalize(join(dirname(path), `${name}.d.ts`)), kept);
}
