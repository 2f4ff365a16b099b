import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';

/** The address of a listening socket. */
export interface SocketAddress {
  readonly address: string;
  readonly port: number;
  readonly transport: 'tcp' | 'udp';
}

// The program that runs in the network namespace: it opens the sockets there and sends them to its parent process.
const addresses: readonly SocketAddress[] = JSON.parse(process.argv[2] ?? '[]');
for (const address of addresses) await openAndSend(address);
// The namespace exists as long as a process is in it.
process.once('disconnect', () => process.exit());

async function openAndSend({ address, port, transport }: SocketAddress): Promise<void> {
  const socket = transport === 'tcp' ? createServer() : createSocket('udp4');
  if ('listen' in socket) socket.listen(port, address);
  else socket.bind(port, address);
  await once(socket, 'listening');
  await new Promise<void>((resolve, reject) => {
    process.send?.({}, socket, {}, (error) => (error === null ? resolve() : reject(error)));
  });
  socket.close();
}
