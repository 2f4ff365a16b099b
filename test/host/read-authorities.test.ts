import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperationError } from '../../src/host/errors.ts';
import { readAuthorities } from '../../src/host/read-authorities.ts';

test('authorities are read from a file that holds a certificate', async () => {
  const files = (text: string | undefined) => ({ read: async () => text });
  const pem = '-----BEGIN CERTIFICATE-----\n…';
  assert.deepEqual(await readAuthorities(files(pem), 'ca.pem'), { ca: pem });
  const unreadable = {
    read: async () => Promise.reject(new OperationError({ tried: 'Reading', on: 'ca.pem', reason: 'no' })),
  };
  for (const [given, reason] of [
    [files(undefined), 'there is no such file'],
    [files('-----BEGIN PRIVATE KEY-----'), 'which holds no certificate in PEM'],
    [unreadable, 'which cannot be read: Reading ca.pem: no'],
  ] as const) {
    const found = await readAuthorities(given, 'ca.pem');
    assert.ok('mistake' in found && found.mistake.includes(reason), JSON.stringify(found));
  }
});
