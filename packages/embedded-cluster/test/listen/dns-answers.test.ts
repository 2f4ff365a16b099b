import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeAnswer, encodeQuery } from '../../../../src/host/dns-message.ts';
import { createZone } from '../../src/dns/zone.ts';
import { decodeQuestion, encodeAnswer, type Question } from '../../src/listen/dns-answers.ts';
import type { DnsAnswer } from '../../src/outside/dns.ts';

const name = fc.domain().filter((text) => text.length < 200);
const ttlSeconds = fc.nat(86_400);
const content = fc.oneof(
  fc.tuple(fc.constant('A' as const), fc.ipV4()),
  fc.tuple(fc.constant('CNAME' as const), name),
  fc.tuple(
    fc.constant('TXT' as const),
    fc.string({ maxLength: 600 }).filter((text) => !text.includes('"')),
  ),
  fc.tuple(fc.constant('AAAA' as const), fc.ipV6().map(shortest)),
);
const record = fc.tuple(content, ttlSeconds).map(([[type, value], seconds]) => ({ type, value, ttlSeconds: seconds }));

/** An IPv6 address in the text form of RFC 5952. */
function shortest(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function questionFor(text: string, type: 'A' | 'TXT' = 'A'): Question {
  const question = decodeQuestion(encodeQuery(7, text, type));
  assert.ok(question !== undefined);
  return question;
}

test('the name of a question is read in lower case', () => {
  const { id, name: read, type, wantsRecursion } = questionFor('App.Example.COM', 'TXT');
  assert.deepEqual(
    { id, read, type, wantsRecursion },
    { id: 7, read: 'app.example.com', type: 'TXT', wantsRecursion: true },
  );
});

test('a response, a truncated message or other bytes are no question', () => {
  const question = questionFor('app.example.com');
  assert.equal(
    decodeQuestion(encodeAnswer(question, { code: 'NOERROR', records: [] }, { maximumBytes: 512 })),
    undefined,
  );
  const bytes = encodeQuery(7, 'app.example.com', 'A');
  for (let length = 0; length < bytes.length; length += 1)
    assert.equal(decodeQuestion(bytes.subarray(0, length)), undefined);
  fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (any) => void decodeQuestion(Buffer.from(any))));
});

test('the program’s own resolver reads the records and TTLs of every answer', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 8 }), name, (records, of) => {
      const answer = decodeAnswer(
        encodeAnswer(questionFor(of), { code: 'NOERROR', records }, { maximumBytes: 65_535 }),
        'A',
      );
      assert.deepEqual(answer?.records, records);
      assert.equal(answer?.id, 7);
    }),
  );
});

test('NXDOMAIN, NODATA and SERVFAIL are distinguished', () => {
  for (const code of ['NXDOMAIN', 'NODATA', 'SERVFAIL'] as const)
    assert.equal(
      decodeAnswer(encodeAnswer(questionFor('a.example.com'), { code, records: [] }, { maximumBytes: 512 }), 'A')?.code,
      code,
    );
});

test('an authoritative negative answer has the flag AA and an SOA record with the negative TTL', () => {
  const zone = createZone({ name: 'example.com', now: () => 0, negativeTtlSeconds: 60, propagationSeconds: () => 0 });
  const authority = { zone, server: 'ns.example.net' };
  const none = { code: 'NXDOMAIN', records: [] } as const;
  const bytes = encodeAnswer(questionFor('a.example.com'), none, { maximumBytes: 512, authority });
  assert.equal(bytes.readUInt16BE(2) & 0x0480, 0x0400, 'authoritative, and no recursion');
  assert.deepEqual([bytes.readUInt16BE(6), bytes.readUInt16BE(8)], [0, 1], 'no answer, one authority');
  assert.equal(bytes.readUInt32BE(bytes.length - 4), 60, 'the SOA’s minimum');
  assert.equal(decodeAnswer(bytes, 'A')?.code, 'NXDOMAIN');
});

test('an answer that does not fit is truncated and has no records', () => {
  const records: DnsAnswer['records'] = Array.from({ length: 5 }, () => ({
    type: 'TXT',
    value: 'x'.repeat(200),
    ttlSeconds: 1,
  }));
  const bytes = encodeAnswer(questionFor('a.example.com', 'TXT'), { code: 'NOERROR', records }, { maximumBytes: 512 });
  const answer = decodeAnswer(bytes, 'TXT');
  assert.ok(bytes.length <= 512 && answer?.truncated === true);
  assert.deepEqual(answer.records, []);
});
