import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type Endpoint, listenOn } from './loopback.ts';

/** A certificate chain and its key, in PEM. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

/**
 * Starts an HTTP/1.1 server on loopback, over TLS if `tls` is given. Closes idle connections after `idleSeconds`
 * (default: Node's 5).
 */
export async function serveRequests(
  listener: RequestListener,
  { tls, idleSeconds }: { readonly tls?: Certified | undefined; readonly idleSeconds?: number } = {},
): Promise<Endpoint> {
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  if (idleSeconds !== undefined) server.keepAliveTimeout = 1000 * idleSeconds;
  return {
    port: await listenOn(server),
    accept: (connection) => void server.emit('connection', connection),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
