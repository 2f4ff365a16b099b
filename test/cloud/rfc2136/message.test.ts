import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isAtLeast } from '../../../src/cloud/rfc2136/in-sync.ts';
import { readKeyFile } from '../../../src/cloud/rfc2136/key-file.ts';
import { encodeRequest, readMessage, types } from '../../../src/cloud/rfc2136/message.ts';
import { recordSet, recordsOf } from '../../../src/cloud/rfc2136/record-set.ts';

test('any bytes are a message or a RangeError', () => {
  const whole = encodeRequest({ id: 7, opcode: 0, question: { name: 'app.example.com', type: types.A } });
  const garbled = fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(byte, at);
    return bytes;
  });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
    garbled,
  );
  fc.assert(
    fc.property(bytes, (message) => {
      try {
        readMessage(message);
      } catch (error) {
        assert.ok(error instanceof RangeError);
      }
    }),
  );
});

test('a record set is restored byte for byte, whatever its data', () =>
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 4 }), (texts) => {
      const data = texts.map((text) => Buffer.concat([Buffer.from([text.length]), text]));
      const records = data.map((each) => ({
        name: 'a.example',
        type: types.TXT,
        class: 1,
        ttlSeconds: 60,
        data: each,
      }));
      const set = recordSet('a.example', 'TXT', records);
      assert.ok(set);
      assert.deepEqual(recordsOf(JSON.parse(JSON.stringify(set))), records);
    }),
  ));

test('serials count modulo 2³² (RFC 1982)', () => {
  assert.equal(isAtLeast(8, 7), true);
  assert.equal(isAtLeast(7, 7), true);
  assert.equal(isAtLeast(6, 7), false);
  assert.equal(isAtLeast(1, 0xffff_ffff), true);
  assert.equal(isAtLeast(0xffff_ffff, 1), false);
});

test('a key file is read with comments, without quotes, and with its final dot', () => {
  const secret = Buffer.from('s').toString('base64');
  const key = readKeyFile(
    `# of the zone\nkey Update.Example. { /* best */ algorithm HMAC-SHA512; secret ${secret}; }; // end`,
  );
  assert.deepEqual(key, { name: 'update.example', algorithm: 'hmac-sha512', secret: Buffer.from('s') });
});

test('a secret with two slashes in its base64 is read whole', () => {
  const key = readKeyFile('key "update.example" {\n\talgorithm hmac-sha256;\n\tsecret "ab//cd==";\n};\n');
  assert.deepEqual(key, {
    name: 'update.example',
    algorithm: 'hmac-sha256',
    secret: Buffer.from('ab//cd==', 'base64'),
  });
});
