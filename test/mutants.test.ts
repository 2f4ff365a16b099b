import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { auditMutants } from './support/audit-mutants.ts';
import { judgeMutants } from './support/judge-mutants.ts';
import { lockMutants } from './support/lock-mutants.ts';
import { putBackMutants } from './support/put-back-mutants.ts';
import { silenceMutants } from './support/silence-mutants.ts';

test('every condition that the campaign takes away is there to be taken away', () => {
  const mutants = [...judgeMutants, ...auditMutants, ...putBackMutants, ...silenceMutants, ...lockMutants];
  const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
  assert.deepEqual(
    mutants.filter(({ file, guard }) => !read(file).includes(guard)).map(({ file, guard }) => `${file}: ${guard}`),
    [],
  );
});
