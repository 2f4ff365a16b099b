import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { responseReader } from '../../../src/host/probe/response-reader.ts';

interface Read {
  readonly progress: string;
  readonly status: number;
  readonly keepsAlive: boolean;
  readonly body: string;
}

/** The response in pieces that end at these places, and then the end of the connection if it is not complete by then. */
function read(bytes: Buffer, cuts: readonly number[] = []): Read {
  const reader = responseReader();
  const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
  let progress = 'more';
  for (const [i, end] of places.slice(1).entries()) {
    const piece = bytes.subarray(places[i], end);
    if (progress === 'more' && piece.length > 0) progress = reader.push(piece);
  }
  if (progress === 'more') progress = reader.closed();
  return { progress, status: reader.status(), keepsAlive: reader.keepsAlive(), body: reader.body() };
}

const response = (head: string, body = '') => Buffer.from(`${head.replaceAll('\n', '\r\n')}\r\n\r\n${body}`, 'latin1');
const inChunks = (parts: readonly string[]) =>
  `${parts.map((part) => `${part.length.toString(16)};x=1\r\n${part}\r\n`).join('')}0\r\nTrailer: 1\r\n\r\n`;
const latin = fc.string({
  unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
  maxLength: 200,
});
const cuts = fc.array(fc.nat(), { maxLength: 8 });

test('a response is the same in whatever pieces it arrives, for each way to end a body', () => {
  fc.assert(
    fc.property(latin, cuts, fc.constantFrom(200, 404, 503), (body, places, status) => {
      const whole = { progress: 'complete', status, body };
      const byLength = response(`HTTP/1.1 ${status} OK\nContent-Length: ${body.length}`, body);
      assert.deepEqual(read(byLength, places), { ...whole, keepsAlive: true });
      assert.deepEqual(read(response(`HTTP/1.1 ${status} OK`, body), places), { ...whole, keepsAlive: false });
    }),
  );
  fc.assert(
    fc.property(fc.array(latin.filter((part) => part !== '')), cuts, (parts, places) => {
      const chunked = response('HTTP/1.1 200 OK\nTransfer-Encoding: chunked', inChunks(parts));
      assert.deepEqual(read(chunked, places), {
        progress: 'complete',
        status: 200,
        keepsAlive: true,
        body: parts.join(''),
      });
    }),
  );
});

test('a body that is cut off is broken, wherever it is cut', () => {
  fc.assert(
    fc.property(
      latin.filter((body) => body !== ''),
      fc.nat(),
      (body, cut) => {
        const whole = [
          response(`HTTP/1.1 200 OK\nContent-Length: ${body.length}`, body),
          response('HTTP/1.1 200 OK\nTransfer-Encoding: chunked', inChunks([body])),
        ];
        for (const bytes of whole) assert.equal(read(bytes.subarray(0, cut % bytes.length)).progress, 'broken');
      },
    ),
  );
});

test('interim responses are passed over', () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n';
  const bytes = Buffer.concat([Buffer.from(early + early), response('HTTP/1.1 200 OK\nContent-Length: 2', 'ok')]);
  for (let cut = 1; cut < bytes.length; cut++) assert.equal(read(bytes, [cut]).status, 200);
});

test('a connection is kept as HTTP/1.0 and HTTP/1.1 each say', () => {
  const keeps = (line: string, connection: string) => read(response(`${line} 204 None\n${connection}`)).keepsAlive;
  assert.equal(keeps('HTTP/1.1', 'X: y'), true);
  assert.equal(keeps('HTTP/1.1', 'Connection: Close'), false);
  assert.equal(keeps('HTTP/1.0', 'X: y'), false);
  assert.equal(keeps('HTTP/1.0', 'Connection: keep-alive'), true);
});

test('what is not HTTP/1.1 is broken at once, however long it goes on', () => {
  for (const text of [
    'SSH-2.0-OpenSSH_9.2\r\n',
    'HTTP/2 200\r\n\r\n',
    '\u0016\u0003\u0001',
    'HTTP/1.1 99 No\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n',
  ])
    assert.equal(responseReader().push(Buffer.from(text, 'latin1')), 'broken', text);
  const endless = responseReader();
  let progress = endless.push(Buffer.from('HTTP/1.1 200 OK\r\n'));
  for (let i = 0; i < 100 && progress === 'more'; i++)
    progress = endless.push(Buffer.from(`X-${i}: ${'x'.repeat(1000)}\r\n`));
  assert.equal(progress, 'broken');
});

test('any bytes at all are read without an exception', () => {
  const start = fc.constantFrom('', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
  fc.assert(
    fc.property(start, fc.uint8Array(), cuts, (head, bytes, places) => {
      assert.match(read(Buffer.concat([Buffer.from(`${head} `), bytes]), places).progress, /complete|broken/);
    }),
  );
});

test('only the beginning of a long body is kept', () => {
  const reader = responseReader();
  reader.push(response('HTTP/1.1 200 OK\nContent-Length: 100000000'));
  for (let sent = 0; sent < 100_000_000; sent += 1_000_000) reader.push(Buffer.alloc(1_000_000, 'x'));
  assert.equal(reader.closed(), 'complete');
  assert.equal(reader.body(), 'x'.repeat(65_536));
});
