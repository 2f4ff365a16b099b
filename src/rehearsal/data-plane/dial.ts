import type { Container } from '../machines/containers.ts';
import { programOf } from '../machines/images.ts';
import { isPoweredOn } from '../machines/instances.ts';
import { type LoadBalancers, openTargets, type ServicePort } from '../machines/load-balancers.ts';
import type { Machines } from '../machines/machines.ts';
import type { Address, EndpointPropagation, Endpoints, Watcher } from './endpoint-propagation.ts';

/** The parts that decide where a connection ends. */
export interface Path {
  readonly machines: Machines;
  readonly propagation: EndpointPropagation;
  readonly loadBalancers: LoadBalancers;
  readonly now: () => number;
  /** The network's random numbers in [0, 1): which target is picked, how long a hop takes. */
  readonly random: () => number;
}

/** An accepted connection. */
export interface Connection {
  /** The process that accepted it. */
  readonly container: Container;
  /** The node whose port received it, if it came through a load balancer. */
  readonly throughInstanceId?: string;
}

export type DialResult =
  | { readonly outcome: 'accepted'; readonly connection: Connection }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'dropped' };

/** A new connection to that address: load balancer → node port → endpoint that the node's kube-proxy has → pod. */
export function dial(path: Path, address: string, port: number): DialResult {
  const balancer = path.loadBalancers.byAddress(address);
  if (balancer === undefined) return connectTo(path, address, port);
  const portName = balancer.ports[port];
  if (portName === undefined || path.now() < balancer.activeAt) return { outcome: 'dropped' };
  const target = pick(openTargets(balancer, path.now()), path.random);
  if (target === undefined) return { outcome: 'refused' };
  return dialNodePort(path, target.instanceId, { serviceKey: balancer.serviceKey, portName });
}

/** A connection to a node port: kube-proxy sends it to any endpoint of the Service, on any node (externalTrafficPolicy Cluster). */
export function dialNodePort(path: Path, instanceId: string, port: ServicePort): DialResult {
  const { machines, random, now } = path;
  const instance = machines.instance(instanceId);
  if (instance === undefined || !isPoweredOn(instance, now())) return { outcome: 'dropped' };
  const endpoints = endpointsAtNode(path, instanceId, port.serviceKey);
  const endpoint = endpoints && pick(usableEndpoints(endpoints), random);
  if (endpoint === undefined) return { outcome: 'refused' };
  return connectTo(path, endpoint.address, endpoints?.ports[port.portName] ?? 0, instanceId);
}

/** The Service's endpoints as the node's kube-proxy last applied them; undefined without a kube-proxy. */
export function endpointsAtNode(path: Path, instanceId: string, serviceKey: string): Endpoints | undefined {
  const proxy = kubeProxyOf(path, instanceId);
  return proxy && path.propagation.atKubeProxy(proxy, serviceKey);
}

/** The ready endpoints, or the terminating ones that still serve if none is ready (KEP-1669, ProxyTerminatingEndpoints). */
export const usableEndpoints = ({ ready, terminating }: Endpoints): readonly Address[] =>
  ready.length > 0 ? ready : terminating;

function connectTo({ machines }: Path, address: string, port: number, throughInstanceId?: string): DialResult {
  const result = machines.connect(address, port);
  if (result.outcome !== 'accepted') return result;
  const { container } = result;
  return {
    outcome: 'accepted',
    connection: throughInstanceId === undefined ? { container } : { container, throughInstanceId },
  };
}

/** The node's last kube-proxy: the rules that it wrote into the kernel outlive its process. */
function kubeProxyOf({ machines, now }: Path, instanceId: string): Watcher | undefined {
  const proxy = machines
    .containersOn(instanceId)
    .findLast(({ image, listensAt }) => programOf(image).name === 'kube-proxy' && listensAt <= now());
  return proxy && { id: proxy.id, startedAt: proxy.listensAt, endedAt: proxy.exitsAt };
}

export function pick<T>(items: readonly T[], random: () => number): T | undefined {
  return items[Math.floor(random() * items.length)];
}

export type ConnectionState = 'open' | 'closed' | 'half-open';

/** `closed`: the server closed it, and the client knows. `half-open`: a machine on the way is off, and the client does not know. */
export function stateOf({ container, throughInstanceId }: Connection, { machines, now }: Path): ConnectionState {
  const at = now();
  const isOff = (id: string) => {
    const instance = machines.instance(id);
    return instance === undefined || !isPoweredOn(instance, at);
  };
  if (isOff(container.instanceId) || (throughInstanceId !== undefined && isOff(throughInstanceId))) return 'half-open';
  const current = machines.container(container.id);
  return current === undefined || at >= (current.closesAt ?? Number.POSITIVE_INFINITY) ? 'closed' : 'open';
}
