import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AnswerReader, answerReader, type LastAnswer, noAnswer } from '../../../src/host/load/answer-reader.ts';
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

const buffer = Buffer.alloc(65_536);

interface Both {
  readonly quick: AnswerReader;
  readonly plain: ResponseReader;
}
const both = (last: LastAnswer): Both => ({ quick: answerReader(last), plain: responseReader() });

/** Both readers get the pieces, up to the answer's end; whether it came whole. */
function arrives({ quick, plain }: Both, bytes: Buffer, pieceBytes: number): boolean {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    piece.copy(buffer);
    const progress = plain.push(Buffer.from(piece));
    assert.deepEqual([quick.push(buffer, piece.length), quick.status()], [progress, plain.status()]);
    if (progress === 'complete') return true;
  }
  assert.equal(quick.closed(), plain.closed());
  return false;
}

test('answers that are the same as the last one mean the same, whatever came before, on any connection and in any pieces', () => {
  fc.assert(
    fc.property(fc.array(arrival, { maxLength: 30 }), (arrivals) => {
      const last = noAnswer();
      const readers = [both(last), both(last), both(last)];
      for (const { connection, answer, pieceBytes, breaksOff } of arrivals) {
        const { quick, plain } = readers[connection] as Both;
        const isWhole = arrives({ quick, plain }, breaksOff ? answer.subarray(0, -1) : answer, pieceBytes);
        assert.equal(quick.keepsAlive(), plain.keepsAlive());
        // A connection that was not kept is another one.
        if (!isWhole || !plain.keepsAlive()) readers[connection] = both(last);
        quick.restart();
        plain.restart();
      }
    }),
    { numRuns: 500 },
  );
});

test('an answer that was seen before is not read again', () => {
  const [answer] = answers as [Buffer];
  const last = noAnswer();
  answerReader(last).push(answer, answer.length);
  assert.deepEqual([last.length, last.status], [answer.length, 200]);
  last.status = 418;
  const reader = answerReader(last);
  assert.deepEqual([reader.push(answer, answer.length), reader.status()], ['complete', 418]);
});
