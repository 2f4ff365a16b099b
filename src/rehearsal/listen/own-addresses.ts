import { Server } from 'node:net';
import { nameServer, resolverAddress } from '../data-plane/request-path.ts';
import type { World } from '../world/world.ts';
import type { DnsEndpoint } from './dns-endpoint.ts';
import { type Endpoint, loopback } from './loopback.ts';
import type { Place } from './namespace-sockets.ts';
import { type OwnNamespace, ownNamespace } from './own-namespace.ts';

/** What is served on loopback. */
export interface Endpoints {
  readonly api: Endpoint;
  readonly application: Endpoint;
  readonly secureApplication: Endpoint;
  /** The resolver with its cache, and the zone's authoritative server. */
  readonly resolver: DnsEndpoint;
  readonly nameServer: DnsEndpoint;
  readonly ec2: Endpoint;
  readonly route53: Endpoint;
}

/**
 * Serves the endpoints in a network namespace of their own, too: DNS and the application at the addresses and usual ports where the
 * cluster's own names lead, and all else where it is on loopback, so that the same settings hold in it and outside.
 */
export async function serveAtOwnAddresses(
  endpoints: Endpoints,
  { loadBalancers }: Pick<World, 'loadBalancers'>,
  folder: string,
): Promise<OwnNamespace | { readonly because: string }> {
  const doors = [
    ...Object.values(endpoints).flatMap((endpoint) => doorsOf(endpoint, loopback, endpoint.port)),
    ...doorsOf(endpoints.resolver, resolverAddress, dnsPort),
    ...doorsOf(endpoints.nameServer, nameServer.address, dnsPort),
    ...loadBalancers
      .save()
      .flatMap(({ addresses }) => addresses)
      .flatMap((address) => [
        ...doorsOf(endpoints.application, address, httpPort),
        ...doorsOf(endpoints.secureApplication, address, httpsPort),
      ]),
  ];
  const namespace = await ownNamespace({ folder, resolver: resolverAddress, places: doors.map(({ place }) => place) });
  if ('because' in namespace) return namespace;
  for (const [index, socket] of namespace.sockets.entries()) doors[index]?.opens(socket);
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

interface Door {
  readonly place: Place;
  readonly opens: (socket: OwnNamespace['sockets'][number]) => void;
}

function doorsOf(endpoint: Endpoint | DnsEndpoint, address: string, port: number): readonly Door[] {
  const opens: Door['opens'] = (socket) => {
    if (socket instanceof Server) socket.on('connection', endpoint.takes);
    else if ('takesDatagrams' in endpoint) endpoint.takesDatagrams(socket);
  };
  const transports = 'takesDatagrams' in endpoint ? (['tcp', 'udp'] as const) : (['tcp'] as const);
  return transports.map((transport) => ({ place: { address, port, transport }, opens }));
}
