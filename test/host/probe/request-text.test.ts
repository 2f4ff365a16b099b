import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHeader } from '../../../src/host/probe/curl-words.ts';
import { requestText } from '../../../src/host/probe/destination.ts';

test('a header is sent as it was written, as by curl, and Host in its one form', () => {
  const given = ['host:  a ', 'X-One:1', 'X-Two:  2 ', 'X-Three: 3', 'X-Empty;', 'Accept:'].map(parseHeader);
  assert.ok(given.every((header) => header !== undefined));
  const own = [
    { name: 'Host', value: 'own.example.com' },
    { name: 'Accept', value: '*/*' },
  ];
  assert.equal(
    requestText('GET /', own, given),
    'GET / HTTP/1.1\r\nHost: a\r\nX-One:1\r\nX-Two:  2 \r\nX-Three: 3\r\nX-Empty:\r\n\r\n',
  );
});
