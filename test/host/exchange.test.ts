import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { OperationError } from '../../src/host/errors.ts';
import { exchange } from '../../src/host/exchange.ts';

async function serve(t: TestContext, answer: (socket: Socket) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-exchange-'));
  const path = join(folder, 'socket');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  });
  return path;
}
const bytes = new TextEncoder().encode('question');

test('the response is everything that comes until the other side closes', async (t) => {
  const address = await serve(t, (socket) => {
    socket.once('data', (chunk) => socket.end(`${chunk}, answered`));
  });
  const answer = await exchange({ address, bytes, timeoutSeconds: 5 });
  assert.equal(new TextDecoder().decode(answer), 'question, answered');
});

test('a side that never closes is given up after its time', async (t) => {
  const address = await serve(t, (socket) => socket.write('half'));
  await assert.rejects(exchange({ address, bytes, timeoutSeconds: 0.1 }), /no complete answer within 0.1 s/);
});

test('a connection that is refused is an OperationError that names the address', async () => {
  for (const address of ['/nowhere/socket', '127.0.0.1:1', '1']) {
    await assert.rejects(exchange({ address, bytes, timeoutSeconds: 5 }), (error) => {
      assert.ok(error instanceof OperationError);
      assert.equal(error.failure.on, address);
      return true;
    });
  }
});

test('an exchange ends when its signal is aborted, also where that is before it begins', async (t) => {
  const controller = new AbortController();
  const address = await serve(t, () => controller.abort());
  const request = { address, bytes, timeoutSeconds: 60, signal: controller.signal };
  await assert.rejects(exchange(request), (error) => error instanceof OperationError);
  await assert.rejects(exchange(request), (error) => error instanceof OperationError);
});
