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

/**
 * The response in pieces that end at these places and whose memory is used again, and then the end of the connection if
 * it is not complete by then.
 */
function read(bytes: Buffer, cuts: readonly number[] = []): Read {
  let body = '';
  const reader = responseReader((part) => {
    body += part.toString('latin1');
  });
  const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
  let progress = 'more';
  for (const [i, end] of places.slice(1).entries()) {
    const piece = Buffer.from(bytes.subarray(places[i], end));
    if (progress === 'more' && piece.length > 0) progress = reader.push(piece);
    piece.fill('?');
  }
  if (progress === 'more') progress = reader.closed();
  return { progress, status: reader.status(), keepsAlive: reader.keepsAlive(), body };
}

const response = (head: string, body = '') => Buffer.from(`${head.replaceAll('\n', '\r\n')}\r\n\r\n${body}`, 'latin1');
const inChunks = (parts: readonly string[]) =>
  `${parts.map((part) => `${part.length.toString(16)};x=1\r\n${part}\r\n`).join('')}0\r\nTrailer: 1\r\n\r\n`;
const latin = fc.string({
  unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
  maxLength: 200,
});
const cuts = fc.array(fc.nat(), { maxLength: 8 });

test('a response is parsed alike from any pieces, for each kind of body framing', () => {
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

test('interim responses are skipped', () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n';
  const bytes = Buffer.concat([Buffer.from(early + early), response('HTTP/1.1 200 OK\nContent-Length: 2', 'ok')]);
  for (let cut = 1; cut < bytes.length; cut++) assert.equal(read(bytes, [cut]).status, 200);
});

test('a connection persists by the rules of HTTP/1.0 and HTTP/1.1', () => {
  const keeps = (line: string, connection: string) => read(response(`${line} 204 None\n${connection}`)).keepsAlive;
  assert.equal(keeps('HTTP/1.1', 'X: y'), true);
  assert.equal(keeps('HTTP/1.1', 'Connection: Close'), false);
  assert.equal(keeps('HTTP/1.0', 'X: y'), false);
  assert.equal(keeps('HTTP/1.0', 'Connection: keep-alive'), true);
  assert.equal(keeps('HTTP/1.1', 'Connection: Upgrade, close'), false);
  assert.equal(keeps('HTTP/1.1', 'connection: x\nX: y\nConnection: close'), false);
});

test('a connection with more on it than the response is not kept', () => {
  for (const [head, body] of [
    ['HTTP/1.1 200 OK\nContent-Length: 2', 'ok'],
    ['HTTP/1.1 200 OK\nTransfer-Encoding: chunked', inChunks(['ok'])],
    ['HTTP/1.1 204 None', ''],
  ] as const) {
    const expected = { progress: 'complete', status: head.includes('204') ? 204 : 200, body: body && 'ok' };
    assert.deepEqual(read(response(head, body)), { ...expected, keepsAlive: true });
    assert.deepEqual(read(response(head, `${body}HTTP/1.1 `)), { ...expected, keepsAlive: false });
  }
});

test('a repeated Content-Length must be the same', () => {
  const lengths = (text: string) => read(response(`HTTP/1.1 200 OK\nContent-Length: ${text}`, 'ok')).progress;
  assert.equal(lengths('2\nContent-Length: 2'), 'complete');
  assert.equal(lengths('2, 2'), 'complete');
  assert.equal(lengths('2\nContent-Length: 1'), 'broken');
});

test('consecutive responses of one connection are parsed, whatever the one before was', () => {
  const kinds = [
    response('HTTP/1.1 200 OK\nContent-Length: 2', 'ok'),
    response('HTTP/1.1 200 OK\nContent-Length: 3', 'yes'),
    response('HTTP/1.1 503 No\nTransfer-Encoding: chunked', inChunks(['busy', 'now'])),
    response('HTTP/1.1 304 Same\nContent-Length: 12'),
  ];
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat())), (answers) => {
      const bodies: string[] = [];
      const reader = responseReader((part) => bodies.push(part.toString()));
      for (const [kind, cut] of answers) {
        bodies.length = 0;
        reader.restart();
        assert.equal(reader.status(), 0);
        const bytes = kinds[kind] ?? Buffer.alloc(0);
        const middle = 1 + (cut % (bytes.length - 1));
        assert.equal(reader.push(bytes.subarray(0, middle)), 'more');
        assert.equal(reader.push(bytes.subarray(middle)), 'complete');
        const read = [reader.status(), bodies.join(''), reader.keepsAlive()];
        assert.deepEqual(read, [[200, 200, 503, 304][kind], ['ok', 'yes', 'busynow', ''][kind], true]);
      }
    }),
  );
});

test('a response that is not HTTP/1.x is broken at once, whatever its length', () => {
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
  const neverFinal = responseReader();
  const early = Buffer.from('HTTP/1.1 103\n\n'.repeat(100));
  for (progress = neverFinal.push(early); progress === 'more'; progress = neverFinal.push(early));
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
