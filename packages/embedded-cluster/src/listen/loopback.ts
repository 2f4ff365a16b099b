import type { AddressInfo, Server, Socket } from 'node:net';
import { ClusterError } from '../outside/cluster-error.ts';

/** Only this machine can reach a server on this address. */
export const loopback = '127.0.0.1';

/** A server on a port of loopback. */
export interface Endpoint {
  readonly port: number;
  /** Serves a connection that another socket accepted. */
  accept(connection: Socket): void;
  /** Stops listening and closes open connections. */
  close(): void;
}

/**
 * Listens on that port of loopback, by default on any free one, and returns the port. A port in use is an
 * `ClusterError`.
 */
export async function listenOn(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(portUnavailable(port, cause)));
    server.listen(port, loopback, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** The error for a port that cannot be listened on. */
export function portUnavailable(port: number, cause: Error): ClusterError {
  const failure = { tried: 'Listening on', on: `${loopback}:${port}`, reason: cause.message };
  return new ClusterError(failure, { cause });
}
