import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperationError } from '../../src/host/errors.ts';
import { readRequestFiles } from '../../src/host/read-request-files.ts';

test('authorities are read from a file that holds a certificate', async () => {
  const files = (text: string | undefined) => ({ read: async () => text });
  const pem = '-----BEGIN CERTIFICATE-----\n…';
  assert.deepEqual(await readRequestFiles(files(pem), { cacert: 'ca.pem' }), { held: { ca: pem } });
  const unreadable = {
    read: async () => Promise.reject(new OperationError({ tried: 'Reading', on: 'ca.pem', reason: 'no' })),
  };
  for (const [given, reason] of [
    [files(undefined), 'there is no such file'],
    [files('-----BEGIN PRIVATE KEY-----'), 'which holds no certificate in PEM'],
    [unreadable, 'which cannot be read: Reading ca.pem: no'],
  ] as const) {
    const found = await readRequestFiles(given, { cacert: 'ca.pem' });
    const [[option, mistake] = []] = 'mistakes' in found ? found.mistakes : [];
    assert.ok(option === 'cacert' && mistake?.includes(reason), JSON.stringify(found));
  }
});

test('data are joined as by curl, and a file among them loses its line ends', async () => {
  const files = { read: async (path: string) => (path === 'form' ? 'b=2\r\nc\n' : undefined) };
  assert.deepEqual(await readRequestFiles(files, { data: ['a=1', '@form'] }), { held: { data: 'a=1&b=2c' } });
  assert.deepEqual(await readRequestFiles(files, { data: ['@none'] }), {
    mistakes: [['data', 'names none, and there is no such file']],
  });
});
