import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { faults } from './support/faults.ts';

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('there are 62 faults, each with its number', () => {
  assert.deepEqual(
    faults.map(({ number }) => number),
    Array.from({ length: 62 }, (_, index) => index + 1),
  );
});

test('each fault has a test that is there, or a sentence why not', () => {
  for (const { number, shownBy } of faults) {
    if ('whyNot' in shownBy) assert.match(shownBy.whyNot, /^[A-Z].*\.$/s);
    else
      assert.ok(
        textOf(shownBy.file).includes(shownBy.name),
        `F${number}: ${shownBy.file} has no test "${shownBy.name}"`,
      );
  }
});

test('each guard that a mutant takes away is there, once', () => {
  const wrong = faults.flatMap(({ number, shownBy, mutant }) => {
    if ('whyNot' in shownBy) return [];
    if (mutant === undefined) return [`F${number} has no mutant`];
    const count = textOf(mutant.file).split(mutant.guard).length - 1;
    return count === 1 ? [] : [`F${number}: ${JSON.stringify(mutant.guard)} is ${count} times in ${mutant.file}`];
  });
  assert.deepEqual(wrong, []);
});
