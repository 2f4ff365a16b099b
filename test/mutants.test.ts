import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { apiServerAwayMutants } from './support/api-server-away-mutants.ts';
import { auditMutants } from './support/audit-mutants.ts';
import { boundsMutants } from './support/bounds-mutants.ts';
import { judgeMutants } from './support/judge-mutants.ts';
import { lockMutants } from './support/lock-mutants.ts';
import { undoMutants } from './support/undo-mutants.ts';

test('every condition that the campaign takes away is there to be taken away', () => {
  const mutants = [
    ...judgeMutants,
    ...boundsMutants,
    ...auditMutants,
    ...undoMutants,
    ...apiServerAwayMutants,
    ...lockMutants,
  ];
  const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
  assert.deepEqual(
    mutants.filter(({ file, guard }) => !read(file).includes(guard)).map(({ file, guard }) => `${file}: ${guard}`),
    [],
  );
});
