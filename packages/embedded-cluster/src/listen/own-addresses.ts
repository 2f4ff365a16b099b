import { Server } from 'node:net';
import { nameServer, resolverAddress } from '../data-plane/request-path.ts';
import type { World } from '../world/world.ts';
import type { DnsEndpoint } from './dns-endpoint.ts';
import { type Endpoint, loopback } from './loopback.ts';
import type { SocketAddress } from './namespace-sockets.ts';
import { type OwnNamespace, ownNamespace } from './own-namespace.ts';

/** The endpoints of a served world, on loopback. */
export interface Endpoints {
  readonly api: Endpoint;
  readonly application: Endpoint;
  readonly secureApplication: Endpoint;
  /** The caching resolver, and the authoritative server of the zone. */
  readonly resolver: DnsEndpoint;
  readonly nameServer: DnsEndpoint;
  readonly ec2: Endpoint;
  readonly route53: Endpoint;
}

/**
 * Serves the endpoints also in a network namespace: DNS and the application at the addresses of the cluster and at
 * standard ports, and every endpoint at its loopback address too, so that the same settings work inside and outside.
 */
export async function serveAtOwnAddresses(
  endpoints: Endpoints,
  { loadBalancers }: Pick<World, 'loadBalancers'>,
  folder: string,
): Promise<OwnNamespace | { readonly because: string }> {
  const listeners = [
    ...Object.values(endpoints).flatMap((endpoint) => listenersOf(endpoint, loopback, endpoint.port)),
    ...listenersOf(endpoints.resolver, resolverAddress, dnsPort),
    ...listenersOf(endpoints.nameServer, nameServer.address, dnsPort),
    ...loadBalancers
      .save()
      .flatMap(({ addresses }) => addresses)
      .flatMap((address) => [
        ...listenersOf(endpoints.application, address, httpPort),
        ...listenersOf(endpoints.secureApplication, address, httpsPort),
      ]),
  ];
  const namespace = await ownNamespace({
    folder,
    resolver: resolverAddress,
    addresses: listeners.map(({ address }) => address),
  });
  if ('because' in namespace) return namespace;
  for (const [index, socket] of namespace.sockets.entries()) listeners[index]?.serve(socket);
  return {
    ...namespace,
    close: () => {
      for (const socket of namespace.sockets) if (socket instanceof Server) socket.close();
      namespace.close();
    },
  };
}

/** RFC 1035, 4.2. */
const dnsPort = 53;
/** RFC 9110, 4.2. */
const httpPort = 80;
const httpsPort = 443;

/** An address to open in the namespace, and what serves its socket. */
interface Listener {
  readonly address: SocketAddress;
  readonly serve: (socket: OwnNamespace['sockets'][number]) => void;
}

function listenersOf(endpoint: Endpoint | DnsEndpoint, address: string, port: number): readonly Listener[] {
  const serve: Listener['serve'] = (socket) => {
    if (socket instanceof Server) socket.on('connection', endpoint.accept);
    else if ('addSocket' in endpoint) endpoint.addSocket(socket);
  };
  const transports = 'addSocket' in endpoint ? (['tcp', 'udp'] as const) : (['tcp'] as const);
  return transports.map((transport) => ({ address: { address, port, transport }, serve }));
}
