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
