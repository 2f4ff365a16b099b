import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonPieces } from '../../../src/cli/command/json-pieces.ts';

test('the pieces are together what JSON.stringify writes', () => {
  const record = fc.dictionary(fc.string(), fc.option(fc.jsonValue(), { nil: undefined }));
  const isSame = fc.property(record, (one) => assert.equal([...jsonPieces(one)].join(''), JSON.stringify(one)));
  fc.assert(isSame, { examples: [[{ valueOf: [''] }]] });
});

test('an array of thousands comes in pieces, of which none is long', () => {
  const outages = Array.from({ length: 5001 }, (_, index) => ({ from: index, kinds: ['503'] }));
  const pieces = [...jsonPieces({ schemaVersion: 1, outages, episodes: [] })];
  assert.equal(pieces.join(''), JSON.stringify({ schemaVersion: 1, outages, episodes: [] }));
  assert.ok(Math.max(...pieces.map((piece) => piece.length)) < 20_000);
});
