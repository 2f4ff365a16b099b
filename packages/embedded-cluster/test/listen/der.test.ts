import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { der, integer, objectIdentifier, time } from '../../src/listen/der.ts';

/** Reads one value (X.690, 8.1): its tag, its contents, and the bytes after it. */
function read(bytes: Buffer): { readonly tag: number; readonly contents: Buffer; readonly rest: Buffer } {
  const [tag = 0, first = 0] = bytes;
  const count = first < 128 ? 0 : first & 0x7f;
  const length = count === 0 ? first : bytes.readUIntBE(2, count);
  const from = 2 + count;
  return { tag, contents: bytes.subarray(from, from + length), rest: bytes.subarray(from + length) };
}

test('a value of any length is read back whole, and its length has the fewest possible bytes', () => {
  fc.assert(
    fc.property(fc.constantFrom(0, 1, 127, 128, 255, 256, 65_535, 65_536), fc.nat(3), (around, more) => {
      const contents = Buffer.alloc(around + more, 7);
      const bytes = der(0x04, contents);
      assert.deepEqual(read(bytes), { tag: 4, contents, rest: Buffer.alloc(0) });
      const shortest = contents.length < 128 ? 2 : 2 + Math.ceil(contents.length.toString(16).length / 2);
      assert.equal(bytes.length, shortest + contents.length);
    }),
  );
});

test('an integer is never encoded as negative', () => {
  assert.equal(integer(Buffer.from([0x7f])).toString('hex'), '02017f');
  assert.equal(integer(Buffer.from([0x80])).toString('hex'), '02020080');
});

test('object identifiers have the encoding of X.690, 8.19', () => {
  assert.equal(objectIdentifier('1.2.840.113549').toString('hex'), '06062a864886f70d');
  assert.equal(objectIdentifier('1.2.840.10045.4.3.2').toString('hex'), '06082a8648ce3d040302');
  assert.equal(objectIdentifier('2.5.29.17').toString('hex'), '0603551d11');
});

test('times have two digits of the year through 2049 and four from 2050 on', () => {
  assert.equal(time(Date.parse('2049-12-31T23:59:59Z')).toString('latin1'), '\x17\x0d491231235959Z');
  assert.equal(time(Date.parse('2050-01-01T00:00:00Z')).toString('latin1'), '\x18\x0f20500101000000Z');
});
