import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type Endpoint, listenOn } from './loopback.ts';

/** A certificate chain and its key, in PEM. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

/**
 * A request has to be complete within 30 s, its head within 10 s, also one that comes byte by byte: everybody with an
 * account on the machine reaches loopback. A load of thousands of connections is one of the scenarios.
 */
const limits = { requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 1000 };
const maximumConnections = 4096;

/**
 * Starts an HTTP/1.1 server on loopback, over TLS if `tls` is given. Closes idle connections after `idleSeconds`
 * (default: Node's 5).
 */
export async function serveRequests(
  listener: RequestListener,
  { tls, idleSeconds }: { readonly tls?: Certified | undefined; readonly idleSeconds?: number } = {},
): Promise<Endpoint> {
  const server =
    tls === undefined
      ? createServer(limits, listener)
      : createSecureServer({ ...limits, handshakeTimeout: limits.headersTimeout, ...tls }, listener);
  server.maxConnections = maximumConnections;
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
