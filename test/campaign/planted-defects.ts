import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { defects } from '../../src/rehearsal/defects.ts';
import { applications, assertPlanted, foreign, planted } from '../support/planted-defects.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('every defect of the embedded cluster is planted, or is none that manifests can express', () => {
  const known = [...Object.keys(planted), ...Object.keys(foreign)];
  assert.deepEqual(known.toSorted(), Object.keys(defects).toSorted());
});

for (const application of applications)
  for (const name of Object.keys(planted))
    test(`${name} in the manifests of ${application}: exactly its criteria fail, with the finding at the right line`, (t) =>
      assertPlanted(join(temporaryFolder(t), 'run'), name, application));
