import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objects, strong } from '../test/support/own-manifests.ts';
import { median } from './median.ts';
import { buildPackage } from './package.ts';

/**
 * `rehearse -f`, start to exit, by the package as it is installed: one application; ten services of a shop of which
 * visitors reach one; ten applications that visitors reach. In turn with `node -e 0`, the least that a program on Node
 * takes, so that the ratio says more of the program than of the machine. The search for turning points is measured by
 * itself, as what it adds.
 */
const rounds = 5;
const installed = buildPackage();
const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

const renamed = (all: readonly object[], name: string): readonly object[] =>
  JSON.parse(JSON.stringify(all).replaceAll('shop', name).replaceAll('"front"', `"${name}"`));
const names = Array.from({ length: 9 }, (_, index) => `part-${index + 1}`);
const sets = {
  one: { objects: strong(), search: false, budget: '3 s' },
  'one, with its turning points': { objects: strong(), search: true, budget: 'none' },
  'ten services, one entrance': {
    objects: [...strong(), ...names.flatMap((name) => renamed(objects().slice(0, 2), name))],
    search: false,
    budget: '10 s',
  },
  'ten applications': {
    objects: [...strong(), ...names.flatMap((name) => renamed(objects(), name))],
    search: false,
    budget: 'none',
  },
};

function seconds(command: readonly string[], allowed: readonly number[]): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', cwd: folder });
  if (!allowed.includes(status ?? -1)) throw new Error(`${command.join(' ')} ended with ${status}: ${stderr}`);
  return (performance.now() - begun) / 1000;
}

for (const [what, { objects: set, search, budget }] of Object.entries(sets)) {
  writeFileSync(join(folder, 'own.yaml'), set.map((one) => JSON.stringify(one)).join('\n---\n'));
  const words = ['rehearse', '-f', 'own.yaml', '--quiet', ...(search ? [] : ['--no-assumptions']), '--out', 'run'];
  const [own, least]: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round += 1) {
    const took = seconds([installed, ...words], [0, 1, 4]);
    rmSync(join(folder, 'run'), { recursive: true });
    const bare = seconds(['-e', '0'], [0]);
    // The code cache is there from the second run on.
    if (round < 0) continue;
    own.push(took);
    least.push(bare);
  }
  const [wall, bare] = [median(own), median(least)];
  const ratio = (wall / bare).toFixed(0);
  process.stdout.write(
    `rehearse -f, ${what}: ${wall.toFixed(2)} s, ${ratio} × node -e 0 (${bare.toFixed(3)} s); budget ${budget}\n`,
  );
}
