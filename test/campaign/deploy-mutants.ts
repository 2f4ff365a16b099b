import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faults } from '../deploys/support/faults.ts';

/** Takes away one guard of a deploy after the other, in a copy, and demands that the test of its fault then fails. Numbers may be named. */
const wanted = new Set(process.argv.slice(2).map(Number));
const root = join(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'holdfast-mutants-'));
for (const name of ['src', 'test', 'bin', 'schemas', 'packaging', 'package.json'])
  cpSync(join(root, name), join(copy, name), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

/** A test that ends in two minutes has found nothing out. */
const passes = (file: string, name: string): boolean => {
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const words = ['--test', `--test-name-pattern=${pattern}`, join(copy, file)];
  return spawnSync(process.execPath, words, { cwd: copy, stdio: 'ignore', timeout: 120_000 }).status === 0;
};

const survivors: number[] = [];
for (const { number, fault, shownBy, mutant } of faults) {
  if ('whyNot' in shownBy || mutant === undefined || (wanted.size > 0 && !wanted.has(number))) continue;
  const path = join(copy, mutant.file);
  const whole = readFileSync(path, 'utf8');
  const passesWhole = passes(shownBy.file, shownBy.name);
  writeFileSync(
    path,
    whole.replace(mutant.guard, () => mutant.without),
  );
  const passesMutant = passes(shownBy.file, shownBy.name);
  writeFileSync(path, whole);
  const killed = passesWhole && !passesMutant;
  if (!killed) survivors.push(number);
  console.log(`F${number} ${killed ? 'killed' : passesWhole ? 'SURVIVED' : 'the test fails as it is'}: ${fault}`);
}
rmSync(copy, { recursive: true, force: true });
console.log(survivors.length === 0 ? 'every mutant was killed' : `to look at: ${survivors.join(', ')}`);
process.exitCode = survivors.length === 0 ? 0 : 1;
