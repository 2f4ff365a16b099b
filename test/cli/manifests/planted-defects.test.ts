import { join } from 'node:path';
import { test } from 'node:test';
import { assertPlanted } from '../../support/planted-defects.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// The other applications and defects are in test/campaign/planted-defects.ts.
test('a chart with StatefulSets and no preStop sleep fails criterion 1, at the line of its container', (t) =>
  assertPlanted(join(temporaryFolder(t), 'run'), 'abrupt-termination', 'chart'));

test('a static site without a topology spread fails criterion 3, at the line of its pod’s spec', (t) =>
  assertPlanted(join(temporaryFolder(t), 'run'), 'replicas-on-one-node', 'static-site'));

test('a shop of ten services without a readiness probe fails criterion 1, at the line of its container', (t) =>
  assertPlanted(join(temporaryFolder(t), 'run'), 'no-readiness-probe', 'ten-services'));
