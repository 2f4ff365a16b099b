import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allMutants } from '../support/all-mutants.ts';
import type { SourceMutant } from '../support/source-mutant.ts';

/** Takes away one condition of a judge, or one guard of an undo, after the other, in a copy, and demands that its test then fails. Parts of file names may be given. */
const wanted = process.argv.slice(2);
const chosen = allMutants.filter(({ file }) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
const root = join(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'holdfast-mutants-'));
for (const name of ['src', 'test', 'bin', 'schemas', 'package.json'])
  cpSync(join(root, name), join(copy, name), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

/** A test that does not end within two minutes has found the mutant. */
const passes = (test: string): boolean =>
  spawnSync(process.execPath, ['--test', join(copy, test)], { stdio: 'ignore', timeout: 120_000 }).status === 0;

function fateOf({ file, guard, without, test }: SourceMutant): 'killed' | 'SURVIVED' | 'not found' {
  const path = join(copy, file);
  const whole = readFileSync(path, 'utf8');
  if (!whole.includes(guard)) return 'not found';
  writeFileSync(
    path,
    whole.replace(guard, () => without),
  );
  const fate = passes(test) ? 'SURVIVED' : 'killed';
  writeFileSync(path, whole);
  return fate;
}

const broken = [...new Set(chosen.map(({ test }) => test))].filter((test) => !passes(test));
for (const test of broken) console.log(`${test} fails as it is`);
const left: SourceMutant[] = [];
for (const mutant of chosen.filter(({ test }) => !broken.includes(test))) {
  const fate = fateOf(mutant);
  if (fate === 'killed') continue;
  left.push(mutant);
  console.log(`${fate}: ${mutant.file}: ${JSON.stringify(mutant.guard)} → ${JSON.stringify(mutant.without)}`);
}
rmSync(copy, { recursive: true, force: true });
console.log(`${chosen.length} mutants, ${chosen.length - left.length} killed`);
process.exitCode = left.length + broken.length === 0 ? 0 : 1;
