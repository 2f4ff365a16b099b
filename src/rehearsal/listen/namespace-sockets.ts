import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';

/** A place in a network namespace. */
export interface Place {
  readonly address: string;
  readonly port: number;
  readonly transport: 'tcp' | 'udp';
}

/** The program inside a network namespace: a socket belongs to the namespace that it was opened in, whoever then holds it. */
const places: readonly Place[] = JSON.parse(process.argv[2] ?? '[]');
for (const place of places) await handOver(place);
// The namespace lives as long as somebody is in it.
process.once('disconnect', () => process.exit());

async function handOver({ address, port, transport }: Place): Promise<void> {
  const socket = transport === 'tcp' ? createServer() : createSocket('udp4');
  if ('listen' in socket) socket.listen(port, address);
  else socket.bind(port, address);
  await once(socket, 'listening');
  await new Promise<void>((resolve, reject) => {
    process.send?.({}, socket, {}, (error) => (error === null ? resolve() : reject(error)));
  });
  socket.close();
}
