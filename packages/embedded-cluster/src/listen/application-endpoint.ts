import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DataPlane } from '../data-plane/data-plane.ts';
import type { Connection } from '../data-plane/dial.ts';
import { errorPage } from '../data-plane/pages.ts';
import { type Certified, serveRequests } from './http-server.ts';
import type { Endpoint } from './loopback.ts';

/** How long a Network Load Balancer keeps an idle connection (its documentation, "Connection idle timeout"). */
const idleTimeoutSeconds = 350;

/**
 * Serves the application on one port, over TLS if `tls` is given. A request goes to its Host through the embedded
 * cluster, where each client connection has a connection of its own, and takes as long as it takes there. The server
 * always accepts a connection; if the cluster gives no response, the connection is then reset, or silent until the
 * client gives up.
 */
export function serveApplication({ get }: Pick<DataPlane, 'get'>, tls?: Certified): Promise<Endpoint> {
  const connections = new WeakMap<Socket, Connection>();
  const upstream: Upstream = { get, connections, scheme: tls === undefined ? 'http' : 'https' };
  return serveRequests(
    (incoming, outgoing) => {
      forward(upstream, incoming, outgoing).catch(() => incoming.socket.destroy());
    },
    // A connection must end with the one in the cluster, not by a timeout of this server.
    { tls, idleSeconds: idleTimeoutSeconds },
  );
}

interface Upstream extends Pick<DataPlane, 'get'> {
  readonly connections: WeakMap<Socket, Connection>;
  readonly scheme: 'http' | 'https';
}

async function forward(
  { get, connections, scheme }: Upstream,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { socket, method } = incoming;
  // nginx serves static files only by these methods.
  if (method !== 'GET' && method !== 'HEAD') return send(outgoing, 405, errorPage(405));
  const url = URL.parse(`${scheme}://${hostOf(incoming)}${incoming.url}`);
  if (url === null) return send(outgoing, 400, errorPage(400));
  const kept = connections.get(socket);
  const { response, connection } = await get(url, { timeoutSeconds: idleTimeoutSeconds, kept });
  if (response === undefined) return void socket.resetAndDestroy();
  if (connection === undefined) outgoing.setHeader('connection', 'close');
  else connections.set(socket, connection);
  send(outgoing, response.status, response.body);
}

function send(outgoing: ServerResponse, status: number, body: string): void {
  outgoing.writeHead(status, { 'content-type': 'text/html', 'content-length': Buffer.byteLength(body) }).end(body);
}

/** The Host header without the port, which is the port of this endpoint and not that of the load balancer. */
const hostOf = ({ headers }: IncomingMessage): string => (headers.host ?? '').replace(/:\d+$/, '');
