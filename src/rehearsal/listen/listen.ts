import type { HttpRequest } from '../../host/host.ts';
import { nameServer } from '../data-plane/request-path.ts';
import type { World } from '../world/world.ts';
import { serveApi } from './api-endpoint.ts';
import { serveApplication } from './application-endpoint.ts';
import { fakeCertificate } from './certificates.ts';
import { serveCloud } from './cloud-endpoint.ts';
import { serveDns } from './dns-endpoint.ts';
import type { Endpoint } from './loopback.ts';
import { type Endpoints, serveAtOwnAddresses } from './own-addresses.ts';

/** A world that is served; ports on loopback. */
export interface Listening {
  /** The whole text: it lets its reader in. */
  readonly kubeconfig: string;
  readonly ports: Readonly<Record<keyof Endpoints, number>>;
  /** In this namespace the cluster's own names lead to it; undefined where none was wanted. */
  readonly namespace?: { readonly enter: readonly string[] } | { readonly because: string };
  close(): void;
}

export interface ListenOptions {
  /** Started, and in real time. */
  readonly world: World;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Throws when the API server is unreachable for that request. */
  readonly requireReachable?: (request: HttpRequest) => void;
  /** For the files of a network namespace; without it none is made. */
  readonly namespaceFolder?: string;
}

/** Serves the world on free ports of loopback, and in a network namespace of its own where this machine allows one. All of it or nothing. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { world, namespaceFolder: folder } = options;
  const opened: { close(): void }[] = [];
  const close = () => {
    for (const { close } of opened.toReversed()) close();
  };
  try {
    const { kubeconfig, endpoints } = await serveEach(options, opened);
    const ports = Object.fromEntries(Object.entries(endpoints).map(([name, { port }]) => [name, port]));
    const listening = { kubeconfig, ports: ports as Listening['ports'], close };
    if (folder === undefined) return listening;
    const namespace = await serveAtOwnAddresses(endpoints, world, folder);
    if ('close' in namespace) opened.push(namespace);
    return { ...listening, namespace };
  } catch (error) {
    close();
    throw error;
  }
}

/** Tells `opened` of each as it opens. */
async function serveEach(
  { world, at, requireReachable }: ListenOptions,
  opened: { close(): void }[],
): Promise<{ readonly kubeconfig: string; readonly endpoints: Endpoints }> {
  const open = async <E extends Endpoint>(endpoint: Promise<E>): Promise<E> => {
    opened.push(await endpoint);
    return endpoint;
  };
  const plane = world.dataPlane();
  const server = nameServer.address;
  const { name: zone, negativeTtlSeconds } = world.zone;
  const authority = { zone, server: nameServer.name, negativeTtlSeconds };
  const { kubeconfig, ...api } = await open(serveApi({ world, at, ...(requireReachable && { requireReachable }) }));
  return {
    kubeconfig,
    endpoints: {
      api,
      application: await open(serveApplication(plane)),
      secureApplication: await open(serveApplication(plane, fakeCertificate(at))),
      resolver: await open(serveDns((name, type) => plane.resolve({ name, type }))),
      nameServer: await open(serveDns((name, type) => plane.resolve({ name, type, server }), { authority })),
      ec2: await open(serveCloud(world, 'https://ec2.us-east-1.amazonaws.com')),
      route53: await open(serveCloud(world, 'https://route53.amazonaws.com')),
    },
  };
}
