import type { AddressInfo, Server, Socket } from 'node:net';
import { OperationError } from '../../host/errors.ts';

/** Only this machine can reach what is served here. */
export const loopback = '127.0.0.1';

/** Something that is served on a port of loopback. */
export interface Endpoint {
  readonly port: number;
  /** Serves a connection that came in at another place. */
  takes(connection: Socket): void;
  /** Ends what is under way, too. */
  close(): void;
}

/** Listens on that port of loopback, or on any that is free, and gives it. A port that is not to be had is an `OperationError`. */
export async function listenOn(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(notToBeHad(port, cause)));
    server.listen(port, loopback, resolve);
  });
  return (server.address() as AddressInfo).port;
}

export function notToBeHad(port: number, cause: Error): OperationError {
  const failure = { tried: 'Listening on', on: `${loopback}:${port}`, reason: cause.message };
  return new OperationError(failure, { cause });
}
