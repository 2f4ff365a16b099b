import assert from 'node:assert/strict';
import type { Writable } from 'node:stream';
import { test } from 'node:test';
import { prober } from '../../../src/host/probe/probe.ts';
import { answering, connecting } from '../../support/loopback-server.ts';

const tenGiB = 10 * 1024 ** 3;
const piece = Buffer.alloc(64 * 1024, 'x');

/** Writes the piece again and again until the connection ends, and counts its bytes. */
function endlessly(socket: Writable, bytes: Buffer, sent: (length: number) => void): void {
  const more = () => {
    while (!socket.destroyed) {
      sent(bytes.length);
      if (!socket.write(bytes)) return;
    }
  };
  socket.on('drain', more);
  more();
}

test('of a body of 10 GiB, and of one without an end, one MiB is read: the sample is good, and says so', async (t) => {
  let sent = 0;
  for (const headers of [{ 'content-length': tenGiB }, {}]) {
    const url = await answering(t, (_, response) => {
      response.writeHead(200, headers);
      endlessly(response, piece, (length) => (sent += length));
    });
    for (const connection of ['new', 'reused', 'reused'] as const) {
      sent = 0;
      const sample = await prober()({ url }, connection, 10);
      const { status, error, unread, seconds } = sample;
      assert.deepEqual({ status, error, unread }, { status: 200, error: undefined, unread: true });
      assert.ok(seconds < 10 && sent < 64 * 1024 * 1024, `${seconds} s, ${sent} bytes`);
    }
  }
});

test('what a body has to contain is looked for in what was read of it', async (t) => {
  const url = await answering(t, (_, response) => {
    response.write('Welcome');
    endlessly(response, piece, () => {});
  });
  const ask = (bodyContains: string) => prober()({ url, bodyContains }, 'new', 10);
  assert.equal((await ask('Welcome')).bodyMatched, true);
  assert.equal((await ask('Goodbye')).bodyMatched, false);
});

test('a body of a MiB and not more is read to its end', async (t) => {
  const url = await answering(t, (_, response) => response.end(Buffer.alloc(1024 * 1024, 'x')));
  const sample = await prober()({ url }, 'reused', 10);
  assert.equal(sample.unread, undefined);
  assert.equal(sample.status, 200);
});

test('headers without an end, and rubbish without an end, are no HTTP', async (t) => {
  const begins = { headers: 'HTTP/1.1 200 OK\r\n', rubbish: '' };
  for (const begin of Object.values(begins)) {
    const url = await connecting(t, (socket) => {
      socket.write(begin);
      endlessly(socket, Buffer.from('x-more: yes\r\n'.repeat(1000)), () => {});
    });
    const { status, error } = await prober()({ url }, 'new', 10);
    assert.deepEqual({ status, error }, { status: 0, error: 'protocol' });
  }
});
