import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { loadAverage } from './load-average.ts';
import { median } from './median.ts';

/** How long `holdfast --help` takes beside a Node that does nothing; budgets: 5 × from a clone, 4 × from a package. */
const program = process.argv[2] ?? join(import.meta.dirname, '../bin/holdfast.js');

function milliseconds(...words: readonly string[]): number {
  const begun = performance.now();
  const { status } = spawnSync(process.execPath, words, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}`);
  return performance.now() - begun;
}

/** Turn by turn, so that a busy moment of the machine meets both. */
const rounds = Array.from({ length: 21 }, () => ({
  nothing: milliseconds('-e', '0'),
  help: milliseconds(program, '--help'),
}));
const nothing = median(rounds.map((round) => round.nothing));
const help = median(rounds.map((round) => round.help));
console.log(
  `node -e 0: ${nothing.toFixed(1)} ms; holdfast --help: ${help.toFixed(1)} ms; ${(help / nothing).toFixed(2)} ×`,
);
console.log(loadAverage());
