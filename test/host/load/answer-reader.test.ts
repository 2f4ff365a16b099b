import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type AnswerReader,
  answerReader,
  closed,
  isWaiting,
  type KnownAnswer,
  noAnswer,
  push,
  statusSoFar,
} from '../../../src/host/load/answer-reader.ts';
import { readBuffer } from '../../../src/host/load/read-buffer.ts';
import { type ResponseReader, responseReader } from '../../../src/host/probe/response-reader.ts';

const answers = [
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nho',
  'HTTP/1.1 503 No\r\nContent-Length: 2\r\n\r\nhi',
  'HTTP/1.1 204 No\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi and more',
  `HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`,
].map((text) => Buffer.from(text));

/** An answer on one of three connections, in pieces of that many bytes; it may break off. */
const arrival = fc.record({
  connection: fc.nat(2),
  answer: fc.constantFrom(...answers),
  pieceBytes: fc.constantFrom(3, 17, 100_000),
  breaksOff: fc.boolean(),
});

const { buffer, first } = readBuffer();

interface Both {
  readonly quick: AnswerReader;
  readonly plain: ResponseReader;
}
const both = (known: KnownAnswer): Both => ({ quick: answerReader(known), plain: responseReader() });

const answerOf = (plain: ResponseReader) => ({ status: plain.status(), keepsAlive: plain.keepsAlive() });

/** Both readers get the pieces, up to the answer's end; whether it came whole. */
function arrives({ quick, plain }: Both, bytes: Buffer, pieceBytes: number): boolean {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    piece.copy(buffer);
    const progress = plain.push(Buffer.from(piece));
    assert.deepEqual(push(quick, first(piece.length)), progress === 'complete' ? answerOf(plain) : progress);
    if (progress === 'complete') return true;
  }
  assert.deepEqual(statusSoFar(quick), plain.status());
  assert.deepEqual(closed(quick), plain.closed() === 'complete' ? answerOf(plain) : 'broken');
  return false;
}

test('answers that are the same as the last one mean the same, whatever came before, on any connection and in any pieces', () => {
  fc.assert(
    fc.property(fc.array(arrival, { maxLength: 30 }), (arrivals) => {
      const known = noAnswer('GET');
      const readers = [both(known), both(known), both(known)];
      for (const { connection, answer, pieceBytes, breaksOff } of arrivals) {
        const { quick, plain } = readers[connection] as Both;
        const isWhole = arrives({ quick, plain }, breaksOff ? answer.subarray(0, -1) : answer, pieceBytes);
        // A connection that was not kept is another one.
        if (!isWhole || !plain.keepsAlive()) readers[connection] = both(known);
        plain.restart();
      }
    }),
    { numRuns: 500 },
  );
});

test('an answer that was seen before is not read again, on whichever connection it comes', () => {
  const [answer] = answers as [Buffer];
  const known = noAnswer('GET');
  const reader = answerReader(known);
  assert.deepEqual(push(reader, answer), { status: 200, keepsAlive: true });
  const teapot = { status: 418, keepsAlive: true };
  known.answer = teapot;
  assert.equal(push(reader, answer), teapot);
  const other = answerReader(known);
  assert.equal(isWaiting(other), false);
  assert.equal(push(other, answer), teapot);
  assert.equal(isWaiting(other), true);
});

test('an answer that is remembered is a copy: its memory is read into again', () => {
  const [hi, ho] = answers as [Buffer, Buffer];
  const known = noAnswer('GET');
  hi.copy(buffer);
  push(answerReader(known), first(hi.length));
  ho.copy(buffer);
  assert.deepEqual(known.bytes, hi);
});
