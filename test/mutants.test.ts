import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allMutants } from './support/all-mutants.ts';

test('every condition that the campaign takes away is there to be taken away', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
  assert.deepEqual(
    allMutants.filter(({ file, guard }) => !read(file).includes(guard)).map(({ file, guard }) => `${file}: ${guard}`),
    [],
  );
});
