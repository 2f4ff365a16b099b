import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryFiles } from '../../src/host/memory-files.ts';

test('what is appended is read, measured and read from a byte on, as from a disk', async () => {
  const files = memoryFiles();
  assert.deepEqual([await files.read('a'), await files.stat('a')], [undefined, undefined]);
  const appender = await files.append('a');
  await appender.write('é1');
  await appender.write('2');
  assert.equal(await files.read('a'), 'é12');
  assert.equal((await files.stat('a'))?.sizeBytes, 4);
  const parts: Uint8Array[] = [];
  for await (const part of files.chunks('a', 2)) parts.push(part);
  assert.equal(Buffer.concat(parts).toString(), '12');
  await (await files.append('a')).write('3');
  assert.equal(await files.read('a'), 'é123');
  await files.remove('a');
  assert.equal(await files.read('a'), undefined);
});

test('a file is created once; what memory cannot do is an error that says so', async () => {
  const files = memoryFiles();
  assert.deepEqual([await files.create('a', 'x'), await files.create('a', 'y')], [true, false]);
  assert.equal(await files.read('a'), 'x');
  await assert.rejects(files.rename('a', 'b'), /files in memory cannot do that/);
});
