import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { frozen } from '../../../src/deployment/checkout/freeze.ts';
import { heldShape, isDeploymentFact } from '../../../src/deployment/record/fact-shape.ts';
import { readHistory } from '../../../src/deployment/record/history.ts';
import { readStateFile } from '../../../src/deployment/record/state-file.ts';
import { readReleases } from '../../../src/deployment/releases/release.ts';
import { OperationError } from '../../../src/host/errors.ts';
import { nodeHost } from '../../../src/host/node.ts';

/** What version 0.1.0 wrote: two verified deploys, a freeze, a release, folders that are held. */
const stateFolder = join(import.meta.dirname, '../../fixtures/state-of-0.1.0');
const { files } = nodeHost();

test('the state of deploys that version 0.1.0 wrote is read', async () => {
  const lines = readFileSync(join(stateFolder, 'journal.jsonl'), 'utf8').split('\n').filter(Boolean);
  assert.deepEqual(
    lines.filter((line) => !isDeploymentFact(JSON.parse(line))),
    [],
  );
  const runs = await readHistory(files, stateFolder);
  assert.deepEqual(
    runs.map(({ document }) => document?.state),
    ['verified', 'verified'],
  );
  assert.equal((await frozen(files, stateFolder))?.reason, 'sale');
  const held = await readStateFile(files, join(stateFolder, 'held-folders.json'), heldShape);
  assert.deepEqual(held?.folders, ['storage/logs']);
  assert.deepEqual(
    (await readReleases(files, { stateFolder })).map(({ name, state }) => [name, state]),
    [['20261128T170000Z-4f0c9a1', 'good']],
  );
});

test('a record that this version does not know is refused by a sentence', async () => {
  const other = readStateFile({ read: async () => '{"version":2}' }, 'held-folders.json', heldShape);
  await assert.rejects(other, (error: unknown) => {
    assert.ok(error instanceof OperationError);
    return /held-folders\.json: it is no record of holdfast: folders/.test(error.message);
  });
});
