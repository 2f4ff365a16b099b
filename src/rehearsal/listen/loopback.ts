import type { AddressInfo, Server } from 'node:net';
import { OperationError } from '../../host/errors.ts';

/** Only this machine can reach what is served here. */
export const loopback = '127.0.0.1';

/** Something that is served. */
export interface Endpoint {
  readonly port: number;
  /** Ends what is under way, too. */
  close(): void;
}

/** Where something is served; port 0 is any that is free. */
export interface Place {
  readonly address: string;
  readonly port: number;
}
export const anyPort: Place = { address: loopback, port: 0 };

/** Listens there, and gives the port. A place that is not to be had is an `OperationError`. */
export async function listenOn(server: Server, place = anyPort): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(notToBeHad(place, cause)));
    server.listen(place.port, place.address, resolve);
  });
  return (server.address() as AddressInfo).port;
}

export function notToBeHad({ address, port }: Place, cause: Error): OperationError {
  return new OperationError({ tried: 'Listening on', on: `${address}:${port}`, cameBack: cause.message }, { cause });
}
