import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { allFaults, faults } from './support/faults.ts';

/** Empty where there is no such file. */
function textOf(file: string): string {
  const url = new URL(`../../${file}`, import.meta.url);
  return existsSync(url) ? readFileSync(url, 'utf8') : '';
}

test('there are 62 faults, each with its number', () => {
  assert.deepEqual(
    faults.map(({ number }) => number),
    Array.from({ length: 62 }, (_, index) => index + 1),
  );
});

test('each fault has a test that is there, or a sentence why not', () => {
  for (const { number, proofs = [], whyNot } of allFaults) {
    if (whyNot !== undefined) assert.match(whyNot, /^[A-Z].*\.$/s);
    else assert.ok(proofs.length > 0, `F${number} is shown by nothing`);
    for (const { test: shownBy } of proofs)
      assert.ok(
        textOf(shownBy.file).includes(shownBy.name.replaceAll("'", "\\'")) ||
          textOf(shownBy.file).includes(shownBy.name),
        `F${number}: ${shownBy.file} has no test "${shownBy.name}"`,
      );
  }
});

test('each guard that a mutant takes away is there, once', () => {
  const wrong = allFaults.flatMap(({ number, proofs = [] }) =>
    proofs.flatMap(({ mutants }) => {
      if (mutants.length === 0) return [`F${number} has a test without a mutant`];
      return mutants.flatMap(({ file, guard }) => {
        const count = textOf(file).split(guard).length - 1;
        return count === 1 ? [] : [`F${number}: ${JSON.stringify(guard)} is ${count} times in ${file}`];
      });
    }),
  );
  assert.deepEqual(wrong, []);
});
