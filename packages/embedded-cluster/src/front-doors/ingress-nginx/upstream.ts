import type { Path } from '../../data-plane/dial.ts';
import type { Address } from '../../data-plane/endpoint-propagation.ts';
import { type Request, routed } from '../../data-plane/routes.ts';
import type { Container } from '../../machines/containers.ts';
import { type Tries, triesOf } from './tries.ts';

/** The endpoints that one nginx worker of an ingress controller would send a request to. */
export interface Upstream {
  readonly serviceKey: string;
  readonly addresses: readonly Address[];
  readonly port: number;
  readonly tries: Tries;
}

/** The upstream as that worker last read it; undefined when no Ingress rule matches the request. */
export function upstreamOf(path: Path, container: Container, request: Request, worker: number): Upstream | undefined {
  const controller = { id: container.id, startedAt: container.listensAt };
  const backend = routed(path.propagation.ingressesAt(controller), request);
  if (backend === undefined) return undefined;
  const endpoints = path.propagation.atIngressWorker(controller, worker, backend.serviceKey);
  const { serviceKey } = backend;
  const tries = triesOf(backend.annotations);
  const name = typeof backend.port === 'string' ? backend.port : path.propagation.portName(serviceKey, backend.port);
  const port = name === undefined ? undefined : endpoints?.ports[name];
  // A port that the Service does not have leads nowhere (ingress-nginx, serviceEndpoints).
  if (endpoints === undefined || port === undefined) return { serviceKey, addresses: noAddresses, port: 0, tries };
  return { serviceKey, addresses: endpoints.ready, port, tries };
}

const noAddresses: readonly Address[] = [];
