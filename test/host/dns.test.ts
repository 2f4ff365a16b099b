import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { resolve } from '../../src/host/dns.ts';
import { decodeAnswer, encodeQuery } from '../../src/host/dns-message.ts';

/** An answer as RFC 1035 has it: the question again, and records whose names point at it. */
function answer(
  question: Buffer,
  code: number,
  records: readonly { type: number; ttl: number; value: Buffer }[] = [],
  truncated = false,
): Buffer {
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180 | code | (truncated ? 0x0200 : 0), 2);
  header.writeUInt16BE(records.length, 6);
  const answers = records.map(({ type, ttl, value }) => {
    const fixed = Buffer.alloc(12);
    fixed.writeUInt16BE(0xc00c, 0);
    fixed.writeUInt16BE(type, 2);
    fixed.writeUInt16BE(1, 4);
    fixed.writeUInt32BE(ttl, 6);
    fixed.writeUInt16BE(value.length, 10);
    return Buffer.concat([fixed, value]);
  });
  return Buffer.concat([header, question.subarray(12), ...answers]);
}

/** A name server on loopback that answers each question so; on TCP too where `whole` is given. */
async function nameServer(
  t: TestContext,
  reply: (question: Buffer) => Buffer | undefined,
  whole?: (question: Buffer) => Buffer,
): Promise<string> {
  const tcp = createServer((socket) =>
    socket.once('data', (bytes) => {
      const full = whole?.(bytes.subarray(2)) ?? Buffer.alloc(0);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(full.length);
      socket.write(length);
      socket.end(full);
    }),
  );
  await new Promise<void>((ready) => tcp.listen(0, '127.0.0.1', ready));
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4');
  udp.on('message', (question, from) => {
    const bytes = reply(question);
    if (bytes !== undefined) udp.send(bytes, from.port, from.address);
  });
  await new Promise<void>((ready) => udp.bind(port, '127.0.0.1', ready));
  t.after(() => {
    udp.close();
    tcp.close();
  });
  return `127.0.0.1:${port}`;
}

const name = 'app.example.com';
const address = { type: 1, ttl: 60, value: Buffer.from([10, 0, 0, 7]) };

test('records come with their values and TTLs, an alias before what it leads to', async (t) => {
  const alias = { type: 5, ttl: 300, value: Buffer.concat([Buffer.from('\x02lb'), Buffer.from([0xc0, 0x10])]) };
  const six = { type: 28, ttl: 60, value: Buffer.from('20010db8000000000000000000000001', 'hex') };
  const text = { type: 16, ttl: 5, value: Buffer.from('\x03one\x05, two') };
  const other = { type: 46, ttl: 1, value: Buffer.from('signature') };
  const server = await nameServer(t, (question) => answer(question, 0, [alias, address, six, text, other]));
  const { code, records } = await resolve({ name, type: 'A', server });
  assert.equal(code, 'NOERROR');
  assert.deepEqual(records, [
    { type: 'CNAME', value: 'lb.example.com', ttlSeconds: 300 },
    { type: 'A', value: '10.0.0.7', ttlSeconds: 60 },
    { type: 'AAAA', value: '2001:db8::1', ttlSeconds: 60 },
    { type: 'TXT', value: 'one, two', ttlSeconds: 5 },
  ]);
});

test('NXDOMAIN, no data and failures are distinguished', async (t) => {
  const codes = { NODATA: 0, NXDOMAIN: 3, SERVFAIL: 2 };
  for (const [code, number] of Object.entries(codes)) {
    const server = await nameServer(t, (question) => answer(question, number));
    assert.deepEqual(await resolve({ name, type: 'A', server }), { code, records: [] });
  }
  const refused = await nameServer(t, (question) => answer(question, 5));
  assert.equal((await resolve({ name, type: 'A', server: refused })).code, 'SERVFAIL');
  const aliasOnly = await nameServer(t, (question) => answer(question, 0, [address]));
  assert.equal((await resolve({ name, type: 'AAAA', server: aliasOnly })).code, 'NODATA');
});

test('an alias alone is the answer of an authoritative server, and no data from a resolver', async (t) => {
  const alias = { type: 5, ttl: 300, value: Buffer.concat([Buffer.from('\x02lb'), Buffer.from([0xc0, 0x10])]) };
  const records = [{ type: 'CNAME', value: 'lb.example.com', ttlSeconds: 300 }];
  const authority = await nameServer(t, (question) => {
    const bytes = answer(question, 0, [alias]);
    // Authoritative, and without recursion (RFC 1035, section 4.1.1).
    bytes.writeUInt16BE(0x8500, 2);
    return bytes;
  });
  assert.deepEqual(await resolve({ name, type: 'A', server: authority }), { code: 'NOERROR', records });
  const resolver = await nameServer(t, (question) => answer(question, 0, [alias]));
  assert.deepEqual(await resolve({ name, type: 'A', server: resolver }), { code: 'NODATA', records });
});

test('a truncated response is fetched again over TCP', async (t) => {
  const records = Array.from({ length: 200 }, () => address);
  const server = await nameServer(
    t,
    (question) => answer(question, 0, [], true),
    (question) => answer(question, 0, records),
  );
  assert.equal((await resolve({ name, type: 'A', server })).records.length, 200);
});

test('a response to another query is ignored', async (t) => {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    const foreign = answer(question, 3);
    foreign.writeUInt16BE((foreign.readUInt16BE(0) + 1) % 0x10000, 0);
    for (const bytes of [Buffer.from('no DNS'), foreign, answer(question, 0, [address])])
      socket.send(bytes, from.port, from.address);
  });
  await new Promise<void>((ready) => socket.bind(0, '127.0.0.1', ready));
  t.after(() => socket.close());
  assert.equal((await resolve({ name, type: 'A', server: `127.0.0.1:${socket.address().port}` })).code, 'NOERROR');
});

test('a server that does not listen is a timeout', async () => {
  assert.deepEqual(await resolve({ name, type: 'A', server: '127.0.0.1:1' }), { code: 'TIMEOUT', records: [] });
});

test('a server that no packet can be sent to is a timeout too', async () => {
  // A socket is not connected to the broadcast address without being told that it may (connect(2), EACCES).
  const server = '255.255.255.255';
  assert.deepEqual(await resolve({ name, type: 'A', server }), { code: 'TIMEOUT', records: [] });
});

test('a question is read back as it was asked', () => {
  const label = fc.stringMatching(/^[a-z0-9]{1,20}$/);
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 5 }), fc.nat(0xffff), (labels, id) => {
      const question = encodeQuery(id, labels.join('.'), 'TXT');
      assert.equal(question.readUInt16BE(0), id);
      assert.deepEqual(
        question.subarray(12),
        Buffer.from(
          `${labels.map((text) => String.fromCharCode(text.length) + text).join('')}\0\0\x10\0\x01`,
          'latin1',
        ),
      );
    }),
  );
});

test('any bytes parse to a response or to none, without an endless loop', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const decoded = decodeAnswer(Buffer.from(bytes), 'A');
      assert.ok(decoded === undefined || Array.isArray(decoded.records));
    }),
    { numRuns: 2000 },
  );
});

test('a name with circular pointers is invalid', () => {
  const header = encodeQuery(1, '', 'A').subarray(0, 12);
  const circle = Buffer.from([1, 97, 0xc0, 12, 0, 1, 0, 1]);
  assert.equal(decodeAnswer(Buffer.concat([header, circle]), 'A'), undefined);
  const octets = fc.array(fc.constantFrom(0, 1, 2, 0xc0, 0xc0, 12, 13, 14, 15, 16, 17, 18), { maxLength: 60 });
  fc.assert(
    fc.property(octets, (rest) => {
      decodeAnswer(Buffer.concat([header, Buffer.from(rest)]), 'A');
    }),
    { numRuns: 2000 },
  );
});
