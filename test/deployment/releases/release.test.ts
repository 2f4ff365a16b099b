import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  forgetRelease,
  type Release,
  readReleases,
  recordRelease,
  removeTornRecords,
} from '../../../src/deployment/releases/release.ts';
import { nodeFiles } from '../../../src/host/files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const files = nodeFiles();
const commit = '0123456789012345678901234567890123456789';
const release = (name: string, madeAt: number): Release => ({
  name,
  directory: `/srv/app/releases/${name}`,
  commit,
  madeAt,
  state: 'making',
});

test('releases are read back as they were recorded, in the order in which they were made', async (t) => {
  const checkout = { stateFolder: temporaryFolder(t) };
  const [older, newer] = [release('b', 1), release('a', 2)];
  assert.deepEqual(await readReleases(files, checkout), []);
  await recordRelease(files, checkout, newer);
  await recordRelease(files, checkout, older);
  assert.deepEqual(await readReleases(files, checkout), [older, newer]);
  await recordRelease(files, checkout, { ...older, state: 'good' });
  await forgetRelease(files, checkout, newer);
  assert.deepEqual(await readReleases(files, checkout), [{ ...older, state: 'good' }]);
});

test('a text that is no record, or names another folder than its own, is no release: nothing of it is ever removed', async (t) => {
  const checkout = { stateFolder: temporaryFolder(t) };
  await recordRelease(files, checkout, release('a', 1));
  const folder = `${checkout.stateFolder}/releases`;
  const foreign: Readonly<Record<string, unknown>> = {
    torn: undefined,
    home: { ...release('home', 2), directory: '/srv/app' },
    unknown: { ...release('unknown', 2), state: 'gone' },
    branch: { ...release('branch', 2), commit: 'main' },
    timeless: { ...release('timeless', 2), madeAt: 'now' },
  };
  for (const [name, record] of Object.entries(foreign))
    writeFileSync(`${folder}/${name}.json`, record === undefined ? '{"name":' : JSON.stringify(record));
  writeFileSync(`${folder}/.b.json.1234.5`, JSON.stringify(release('.b.json.1234', 1)));
  assert.deepEqual(await readReleases(files, checkout), [release('a', 1)]);
  await removeTornRecords(files, checkout);
  assert.deepEqual(
    (await files.list(folder)).filter((name) => name.startsWith('.') || name === 'a.json'),
    ['a.json'],
  );
});
