import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { connecting } from './loopback-server.ts';

/**
 * A SOCKS5 proxy on loopback (RFC 1928), which wants a password (RFC 1929) if one is given. It connects to any name on
 * this machine.
 */
export async function socksProxy(t: TestContext, password?: string) {
  const asked: string[] = [];
  const url = await connecting(t, (client) => void serve(client, password, asked).catch(() => client.destroy()));
  return { address: new URL(url).host, asked };
}

async function serve(client: Socket, password: string | undefined, asked: string[]): Promise<void> {
  const take = reading(client);
  const [, count = 0] = await take(2);
  await take(count);
  client.write(Buffer.from([5, password === undefined ? 0 : 2]));
  if (password !== undefined) {
    const user = await take((await take(2))[1] ?? 0);
    const given = await take((await take(1))[0] ?? 0);
    const isRight = `${user}:${given}` === password;
    client.write(Buffer.from([1, isRight ? 0 : 1]));
    if (!isRight) return void client.end();
  }
  const [, , , type] = await take(4);
  const name = type === 3 ? String(await take((await take(1))[0] ?? 0)) : (await take(4)).join('.');
  const port = (await take(2)).readUInt16BE();
  asked.push(name);
  const server = connect(port, '127.0.0.1');
  server.on('error', () => client.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])));
  server.on('connect', () => {
    client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
    client.pipe(server).pipe(client);
  });
}

/** Reads so many bytes, and leaves the rest to others. */
function reading(client: Socket) {
  return async (length: number): Promise<Buffer> => {
    for (let tries = 0; tries < 1000; tries++) {
      const bytes = length === 0 ? Buffer.alloc(0) : (client.read(length) as Buffer | null);
      if (bytes !== null) return bytes;
      await new Promise((resolve) => client.once('readable', resolve));
    }
    throw new Error('too many pieces');
  };
}
