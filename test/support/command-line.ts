import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../bin/holdfast.js');

/** How the program ended. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program with these arguments, in a folder that is its home, with nothing else in its environment. */
export function holdfast(cwd: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): Ran {
  return spawnSync(process.execPath, [program, ...words], {
    cwd,
    encoding: 'utf8',
    timeout: 240_000,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env },
  });
}

/** Demands exit 2, an empty standard output, one sentence for each mistake on standard error, and no stack. */
export function assertMistakes({ status, stdout, stderr }: Ran, ...sentences: readonly RegExp[]): void {
  assert.equal(status, 2, stderr);
  assert.equal(stdout, '');
  const lines = stderr.trimEnd().split('\n');
  assert.equal(lines.length, sentences.length, stderr);
  for (const [index, sentence] of sentences.entries()) assert.match(lines[index] ?? '', sentence);
  assert.doesNotMatch(stderr, /\n\s+at |Error:/);
}
