import type { HttpRequest } from '../../host/host.ts';
import { nameServer } from '../request-path.ts';
import type { World } from '../world.ts';
import { serveApi } from './api-endpoint.ts';
import { serveApplication } from './application-endpoint.ts';
import { serveCloud } from './cloud-endpoint.ts';
import { serveDns } from './dns-endpoint.ts';
import type { Endpoint } from './loopback.ts';
import { clusterAddresses, hasAddresses, ownEndpoints } from './own-addresses.ts';

/** A world that is served; ports on loopback. */
export interface Listening {
  /** The whole text: it lets its reader in. */
  readonly kubeconfig: string;
  readonly ports: {
    readonly api: number;
    readonly application: number;
    /** The resolver with its cache, and the zone's authoritative server. */
    readonly resolver: number;
    readonly nameServer: number;
    readonly ec2: number;
    readonly route53: number;
  };
  /** Whether the cluster's own addresses are served too, at the usual ports: programs then need not be told where it is. */
  readonly atOwnAddresses: boolean;
  close(): void;
}

export interface ListenOptions {
  /** Started, and in real time. */
  readonly world: World;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Throws when the API server cannot be reached by that request. */
  readonly reach?: (request: HttpRequest) => void;
}

/** Serves the world on free ports of loopback, and at its own addresses where this machine has them. All of it or nothing. */
export async function listen({ world, at, reach }: ListenOptions): Promise<Listening> {
  const opened: Endpoint[] = [];
  const close = () => {
    for (const endpoint of opened) endpoint.close();
  };
  const open = async <E extends Endpoint>(endpoint: Promise<E>): Promise<E> => {
    opened.push(await endpoint);
    return endpoint;
  };
  try {
    const plane = world.dataPlane();
    const api = await open(serveApi({ world, at, ...(reach === undefined ? {} : { reach }) }));
    const application = await open(serveApplication(plane));
    const resolver = await open(serveDns((name, type) => plane.resolve({ name, type })));
    const server = nameServer.address;
    const authority = await open(serveDns((name, type) => plane.resolve({ name, type, server })));
    const ec2 = await open(serveCloud(world, 'https://ec2.us-east-1.amazonaws.com'));
    const route53 = await open(serveCloud(world, 'https://route53.amazonaws.com'));
    const ports = {
      api: api.port,
      application: application.port,
      resolver: resolver.port,
      nameServer: authority.port,
      ec2: ec2.port,
      route53: route53.port,
    };
    const atOwnAddresses = hasAddresses(clusterAddresses(world));
    if (atOwnAddresses) for (const endpoint of ownEndpoints(world)) await open(endpoint());
    return { kubeconfig: api.kubeconfig, ports, atOwnAddresses, close };
  } catch (error) {
    close();
    throw error;
  }
}
