import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** Lets the server listen on a free port of loopback until the test ends, and returns its http:// address. */
export async function listening(t: TestContext, server: Server, host = '127.0.0.1'): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://${host === '::1' ? '[::1]' : host}:${(server.address() as AddressInfo).port}/`;
}

export const answering = (t: TestContext, listener: RequestListener) => listening(t, createHttpServer(listener));
/** A server that calls the listener with each connection. */
export const connecting = (t: TestContext, listener: (socket: Socket) => void) => listening(t, createServer(listener));
