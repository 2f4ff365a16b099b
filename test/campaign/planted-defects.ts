import { join } from 'node:path';
import { test } from 'node:test';
import { applications, assertPlanted, planted } from '../support/planted-defects.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

for (const application of applications)
  for (const name of Object.keys(planted))
    test(`${name} in the manifests of ${application}: exactly its criteria fail, with the finding at the right line`, (t) =>
      assertPlanted(join(temporaryFolder(t), 'run'), name, application));
