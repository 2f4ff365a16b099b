import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { isBranchName } from '../../../src/deployment/settings/schema.ts';
import type { Command } from '../../../src/host/host.ts';

const folder = new URL('../../../src/deployment/', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

/** Every command array that any function of the folder returns for these words, and every one that it holds as data. */
async function commandsOf(word: string): Promise<readonly Command[]> {
  const found: Command[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
      found.push(value as unknown as Command);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const name of sources) {
    const module: Record<string, unknown> = await import(new URL(name, folder).href);
    for (const exported of Object.values(module)) {
      if (typeof exported !== 'function') collect(exported);
      else if (exported.length <= 1 && /^(?:git|fetch|reset|commitOf|localEdits)$/.test(exported.name))
        collect(exported(word));
    }
  }
  return found;
}

test('no command of the folder pulls or merges', async () => {
  const commands = await commandsOf('main');
  assert.ok(commands.some((words) => words.includes('fetch')) && commands.some((words) => words.includes('reset')));
  assert.ok(commands.some((words) => words.includes('artisan')));
  for (const words of commands) {
    if (words[0] === 'git')
      for (const word of words) assert.doesNotMatch(word, /^(?:pull|merge|rebase)$/, words.join(' '));
  }
});

test('no source of the folder has a word for pulling or merging in a command', () => {
  for (const name of sources) {
    assert.doesNotMatch(readFileSync(new URL(name, folder), 'utf8'), /['"`](?:pull|merge|rebase)['"`]/, name);
  }
});

test('a branch that is a name never becomes an option or another reference', async () => {
  const { fetch } = await import('../../../src/deployment/git/fetch.ts');
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }).filter(isBranchName), (branch) => {
      const words = fetch(branch);
      const references = words.slice(words.indexOf('--end-of-options') + 1);
      assert.equal(references[0], 'origin');
      for (const reference of references.slice(1)) assert.ok(reference.startsWith(`+refs/heads/${branch}:refs/`));
    }),
  );
});

test('every git command runs without hooks, without a file system monitor and without a clean-up in the background', async () => {
  for (const words of (await commandsOf('main')).filter(([program]) => program === 'git')) {
    const text = words.join(' ');
    for (const setting of ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'gc.auto=0', 'maintenance.auto=false']) {
      assert.ok(text.includes(`-c ${setting}`), text);
    }
  }
});
