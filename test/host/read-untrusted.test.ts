import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { nodeFiles } from '../../src/host/files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const files = nodeFiles();
const limits = { mostBytes: 1000 };

test('a plain file is read whole up to its limit, and refused whole beyond it', async (t) => {
  const path = `${temporaryFolder(t)}/file`;
  for (const length of [0, 999, 1000]) {
    writeFileSync(path, 'x'.repeat(length));
    assert.deepEqual(await files.readUntrusted(path, limits), { text: 'x'.repeat(length) });
  }
  writeFileSync(path, 'x'.repeat(1001));
  assert.deepEqual(await files.readUntrusted(path, limits), { refused: 'it is longer than 1000 bytes' });
  assert.equal(await files.readUntrusted(`${path}.none`, limits), undefined);
  assert.equal(await files.readUntrusted(`${path}/none`, limits), undefined);
});

test('a pipe, a device, a folder and a link are refused, and none of them is waited for', async (t) => {
  const folder = temporaryFolder(t);
  execFileSync('mkfifo', [`${folder}/pipe`]);
  writeFileSync(`${folder}/plain`, 'text');
  symlinkSync('plain', `${folder}/link`);
  symlinkSync('/dev/zero', `${folder}/endless`);
  const refused = async (path: string) => {
    const read = await files.readUntrusted(path, limits);
    return read !== undefined && 'refused' in read ? read.refused : read;
  };
  assert.equal(await refused(`${folder}/pipe`), 'it is not a plain file');
  assert.equal(await refused('/dev/zero'), 'it is not a plain file');
  assert.equal(await refused(folder), 'it is not a plain file');
  assert.equal(await refused(`${folder}/link`), 'it is a symbolic link');
  assert.equal(await refused(`${folder}/endless`), 'it is a symbolic link');
});

test('a file of /proc, which has no size, is read', async () => {
  const read = await files.readUntrusted('/proc/self/status', { mostBytes: 100_000 });
  assert.match(read !== undefined && 'text' in read ? read.text : '', /^Uid:\s+\d+/m);
});

test('where owners are asked for, a file of another user and one that everybody may write are refused', async (t) => {
  const path = `${temporaryFolder(t)}/file`;
  writeFileSync(path, 'text');
  const { uid } = userInfo();
  const owned = { ...limits, owners: [uid] };
  assert.deepEqual(await files.readUntrusted(path, owned), { text: 'text' });
  assert.deepEqual(await files.readUntrusted(path, { ...limits, owners: [uid + 1] }), {
    refused: `it belongs to user ${uid}`,
  });
  chmodSync(path, 0o666);
  assert.deepEqual(await files.readUntrusted(path, owned), { refused: 'everybody may write it' });
  if (uid !== 0) return;
  chmodSync(path, 0o644);
  chownSync(path, 65534, 65534);
  assert.deepEqual(await files.readUntrusted(path, owned), { refused: 'it belongs to user 65534' });
});
