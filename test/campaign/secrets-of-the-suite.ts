import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, lstatSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sighting, searchSecrets } from '../support/search-secrets.ts';
import { homeOf, homes } from '../support/secret-homes.ts';
import { soughtTexts } from '../support/secrets.ts';

/**
 * Runs the suite, or the test files named, with a temporary folder of its own in which nothing is lost, and demands
 * that no file and no output of it holds a secret but the files that are the secret's home.
 */
const wanted = process.argv.slice(2);
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'hs-'));
for (const name of ['', 'tmp', 'kept', 'kept/said', 'kept/deleted']) {
  mkdirSync(join(folder, name), { recursive: true });
  chmodSync(join(folder, name), 0o777);
}
const said = openSync(join(folder, 'kept/said/suite'), 'w');
const words = ['--import', join(root, 'test/support/keep-everything.ts'), '--test', '--test-concurrency=2'];
const files = wanted.length > 0 ? wanted : ['test/**/*.test.ts'];
const { status } = spawnSync(process.execPath, [...words, ...files], {
  cwd: root,
  env: { ...process.env, TMPDIR: join(folder, 'tmp'), HOLDFAST_TEST_KEEPS: join(folder, 'kept') },
  stdio: ['ignore', said, said],
});

const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => lstatSync(join(folder, name)))
  .filter((entry) => entry.isFile())
  .map(({ size }) => size);
const sightings = searchSecrets(folder, `${folder}.patterns`);
const found = sightings.filter((one) => homeOf(one) === undefined);
const lost = globSync('kept/said/*-lost', { cwd: folder });
console.log(`the suite ended with ${status}; what it said is in ${folder}/kept/said/suite`);
console.log(
  `${sizes.length} files, ${sizes.reduce((sum, size) => sum + size, 0)} bytes, ${soughtTexts.length} texts sought`,
);
for (const home of homes)
  console.log(`${sightings.filter((one) => homeOf(one) === home).length} in homes: ${home.why}`);
for (const { file, text } of found satisfies readonly Sighting[]) console.log(`FOUND in ${file}: ${text}`);
for (const file of lost) console.log(`LOST, and so not searched: see ${file}`);
console.log(`${found.length} found, ${lost.length} lost`);
const isGood = found.length + lost.length === 0 && status === 0;
rmSync(`${folder}.patterns`);
if (isGood) rmSync(folder, { recursive: true });
process.exitCode = isGood ? 0 : 1;
