import { networkInterfaces } from 'node:os';
import { nameServer, resolverAddress } from '../request-path.ts';
import type { World } from '../world.ts';
import { serveApplication } from './application-endpoint.ts';
import { serveDns } from './dns-endpoint.ts';
import type { Endpoint } from './loopback.ts';

/** RFC 1035, 4.2. */
const dnsPort = 53;
/** The specification's Ingress has plain HTTP alone (2.3). */
const httpPort = 80;

/** The addresses that the cluster has for its clients: its resolver, the zone's name server, and its load balancers. */
export function clusterAddresses({ loadBalancers }: Pick<World, 'loadBalancers'>): readonly string[] {
  return [resolverAddress, nameServer.address, ...balancerAddresses(loadBalancers)];
}

const balancerAddresses = (balancers: World['loadBalancers']): readonly string[] =>
  balancers.save().flatMap(({ addresses }) => addresses);

/** Whether this machine has all of them on its own interfaces, as a network namespace made for it does. */
export function hasAddresses(wanted: readonly string[]): boolean {
  const own = new Set(Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []));
  return wanted.every((address) => own.has(address));
}

/** Serves DNS and the application where the cluster's own names lead, so that every program finds them by itself. */
export function ownEndpoints({ loadBalancers, dataPlane }: World): readonly (() => Promise<Endpoint>)[] {
  const plane = dataPlane();
  const dnsServers = [resolverAddress, nameServer.address].map((server) => ({ address: server, port: dnsPort }));
  return [
    ...dnsServers.map(
      (place) => () => serveDns((name, type) => plane.resolve({ name, type, server: place.address }), place),
    ),
    ...balancerAddresses(loadBalancers).map((address) => () => serveApplication(plane, { address, port: httpPort })),
  ];
}
