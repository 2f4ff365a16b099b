import { nameServer } from '../data-plane/request-path.ts';
import type { HttpRequest } from '../outside/http.ts';
import type { World } from '../world/world.ts';
import { serveApi } from './api-endpoint.ts';
import { serveApplication } from './application-endpoint.ts';
import { fakeCertificate } from './certificates.ts';
import { serveDns } from './dns-endpoint.ts';
import { serveHttp, textResponse } from './http-endpoint.ts';
import type { Endpoint } from './loopback.ts';
import { type Endpoints, serveAtOwnAddresses } from './own-addresses.ts';

/** A served world. Ports are on loopback. */
export interface Listening {
  /** The text of a kubeconfig. It contains the token: whoever reads it has access. */
  readonly kubeconfig: string;
  readonly ports: Readonly<Record<keyof Endpoints, number>>;
  /**
   * The network namespace in which programs reach the cluster by its own names: the words before a command that is to
   * run in it, or why there is none. Undefined if none was requested.
   */
  readonly namespace?: { readonly enter: readonly string[] } | { readonly because: string };
  close(): void;
}

export interface ListenOptions {
  /** A started world, in real time. */
  readonly world: World;
  /** Now, in epoch milliseconds: certificates are valid around it. */
  readonly at: number;
  /** Throws when the API server is unreachable for that request. */
  readonly requireReachable?: (request: HttpRequest) => void;
  /** The folder for the files of a network namespace; without it none is made. */
  readonly namespaceFolder?: string;
}

/**
 * Serves the world on free ports of loopback, and in a network namespace if this machine allows one. An error closes
 * everything.
 */
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

/** Opens every endpoint; adds each to `opened` at once, so that an error can close it. */
async function serveEach(
  { world, at, requireReachable }: ListenOptions,
  opened: { close(): void }[],
): Promise<{ readonly kubeconfig: string; readonly endpoints: Endpoints }> {
  const open = async <E extends Endpoint>(endpoint: Promise<E>): Promise<E> => {
    opened.push(await endpoint);
    return endpoint;
  };
  const dataPlane = world.dataPlane();
  const server = nameServer.address;
  const authority = { zone: world.zone, server: nameServer.name };
  const { kubeconfig, ...api } = await open(serveApi({ world, at, ...(requireReachable && { requireReachable }) }));
  return {
    kubeconfig,
    endpoints: {
      api,
      application: await open(serveApplication(dataPlane)),
      secureApplication: await open(serveApplication(dataPlane, fakeCertificate(at))),
      resolver: await open(serveDns((name, type) => dataPlane.resolve({ name, type }))),
      nameServer: await open(serveDns((name, type) => dataPlane.resolve({ name, type, server }), { authority })),
      ec2: await open(serveCloud(world, `https://ec2.${world.region}.amazonaws.com`)),
      route53: await open(serveCloud(world, 'https://route53.amazonaws.com')),
    },
  };
}

/**
 * Serves one API of AWS at an endpoint of its own (`AWS_ENDPOINT_URL_…`). `origin` is the URL of the service at AWS.
 */
function serveCloud({ cloudApi }: Pick<World, 'cloudApi'>, origin: string): Promise<Endpoint> {
  return serveHttp({
    origin,
    answer: async (request) => {
      const response = cloudApi.handle(request);
      return response && textResponse(response.status, 'text/xml', response.body);
    },
  });
}
