import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutant, Proof } from '../deployment/support/faults/fault.ts';
import { allFaults } from '../deployment/support/faults.ts';

/** Takes away one guard of a deploy after the other, in a copy, and demands that the test of its fault then fails. Numbers may be named. */
const wanted = new Set(process.argv.slice(2).map(Number));
const root = join(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'holdfast-mutants-'));
for (const name of ['src', 'test', 'bin', 'schemas', 'packaging', 'docs', 'package.json'])
  cpSync(join(root, name), join(copy, name), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

/** More than a test waits in vain on a busy machine. One that has not ended by then is told as such. */
const testSeconds = 400;

/** How the named test ends in the copy; a skipped test shows nothing. */
async function outcomeOf({ file, name }: Proof['test']): Promise<'passes' | 'fails' | 'is skipped' | 'does not end'> {
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // A process that outlives its test, as without the guard it may, keeps nobody waiting.
  const words = [
    '--test',
    '--test-force-exit',
    '--test-reporter=tap',
    `--test-name-pattern=${pattern}`,
    join(copy, file),
  ];
  const child = spawn(process.execPath, words, { cwd: copy, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }, testSeconds * 1000);
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  clearTimeout(timer);
  if (isOver) return 'does not end';
  if (code !== 0) return 'fails';
  return /^# pass 0$/m.test(said) ? 'is skipped' : 'passes';
}

async function outcomeWithout(test: Proof['test'], { file, guard, without }: Mutant): ReturnType<typeof outcomeOf> {
  const path = join(copy, file);
  const whole = readFileSync(path, 'utf8');
  if (whole.split(guard).length !== 2) throw new Error(`${file} does not hold once: ${guard}`);
  writeFileSync(
    path,
    whole.replace(guard, () => without),
  );
  const outcome = await outcomeOf(test);
  writeFileSync(path, whole);
  return outcome;
}

const survived = { passes: 'SURVIVED', 'is skipped': 'SKIPPED', 'does not end': `not decided in ${testSeconds} s` };
let [killed, all] = [0, 0];
const survivors: number[] = [];
for (const { number, fault, proofs = [] } of allFaults) {
  if (wanted.size > 0 && !wanted.has(number)) continue;
  for (const { test, mutants } of proofs) {
    const whole = await outcomeOf(test);
    for (const mutant of mutants) {
      const without = whole === 'passes' ? await outcomeWithout(test, mutant) : undefined;
      all++;
      if (without === 'fails') killed++;
      else survivors.push(number);
      const said =
        without === 'fails' ? 'killed' : without === undefined ? `the test ${whole} as it is` : survived[without];
      console.log(
        `F${number} ${said}: ${fault}${said === 'killed' ? '' : ` (${mutant.file}: ${mutant.guard.trim()})`}`,
      );
    }
  }
}
rmSync(copy, { recursive: true, force: true });
console.log(
  `${killed} of ${all} mutants were killed${survivors.length === 0 ? '' : `; to look at: ${survivors.join(', ')}`}`,
);
process.exitCode = survivors.length === 0 ? 0 : 1;
