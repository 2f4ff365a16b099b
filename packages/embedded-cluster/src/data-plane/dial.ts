import type { Container } from '../machines/containers.ts';
import { programOf } from '../machines/images.ts';
import { isPoweredOn } from '../machines/instances.ts';
import { type LoadBalancers, openTargets, type ServicePort, servicePort } from '../machines/load-balancers.ts';
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
  /** Its own random number in [0, 1): which worker of that process accepted it. */
  readonly share: number;
  /** The node whose port received it, if it came through a load balancer. */
  readonly throughInstanceId?: string;
}

export type DialResult =
  | { readonly outcome: 'accepted'; readonly connection: Connection }
  | { readonly outcome: 'refused' }
  /** `flow`: where the load balancer sends every packet of this connection. */
  | { readonly outcome: 'dropped'; readonly flow?: Flow };

interface Flow {
  readonly targetId: string;
  readonly port: ServicePort;
}

/**
 * A new connection to that address: load balancer → node port → endpoint that the node's kube-proxy has → pod, or from
 * the load balancer to a pod.
 */
export function dial(path: Path, address: string, port: number): DialResult {
  const balancer = path.loadBalancers.byAddress(address);
  if (balancer === undefined) return connectTo(path, address, port);
  const portName = balancer.ports[port];
  if (portName === undefined || path.now() < balancer.activeAt) return { outcome: 'dropped' };
  const target = pick(openTargets(balancer, path.now()), path.random);
  if (target === undefined) return { outcome: 'refused' };
  return dialFlow(path, { targetId: target.id, port: servicePort(balancer, portName) });
}

/** The same connection, whose first packet had no answer and is sent again. */
export function dialFlow(path: Path, flow: Flow): DialResult {
  const result = dialTarget(path, flow.targetId, flow.port);
  return result.outcome === 'dropped' ? { ...result, flow } : result;
}

function dialTarget(path: Path, targetId: string, port: ServicePort): DialResult {
  return port.podPort === undefined ? dialNodePort(path, targetId, port) : connectTo(path, targetId, port.podPort);
}

/**
 * A connection to a node port: kube-proxy sends it to any endpoint of the Service, with externalTrafficPolicy Local to
 * one on its own node. Without one it refuses, with Local it drops (pkg/proxy/iptables/proxier.go).
 */
export function dialNodePort(path: Path, instanceId: string, port: ServicePort): DialResult {
  const { machines, random, now } = path;
  const instance = machines.instance(instanceId);
  if (instance === undefined || !isPoweredOn(instance, now())) return { outcome: 'dropped' };
  const endpoints = endpointsAtNode(path, instanceId, port.serviceKey);
  const usable = endpoints && usableEndpoints(port.isLocal ? onNode(endpoints, instance.nodeName) : endpoints);
  const endpoint = usable && pick(usable, random);
  if (endpoint === undefined) return { outcome: port.isLocal && endpoints !== undefined ? 'dropped' : 'refused' };
  return connectTo(path, endpoint.address, endpoints?.ports[port.portName] ?? 0, instanceId);
}

/**
 * Whether the load balancer's health check of that target succeeds. Of nodes with externalTrafficPolicy Local it asks
 * kube-proxy for ready endpoints of the node (healthCheckNodePort), else it connects to the node port; of pods it
 * connects to their port.
 */
export function isHealthy(path: Path, targetId: string, port: ServicePort): boolean {
  if (!port.isLocal || port.podPort !== undefined) return dialTarget(path, targetId, port).outcome === 'accepted';
  const instance = path.machines.instance(targetId);
  if (instance === undefined || !isPoweredOn(instance, path.now())) return false;
  const endpoints = endpointsAtNode(path, targetId, port.serviceKey);
  return endpoints !== undefined && onNode(endpoints, instance.nodeName).ready.length > 0;
}

/** The Service's endpoints as the node's kube-proxy last applied them; undefined without a kube-proxy. */
export function endpointsAtNode(path: Path, instanceId: string, serviceKey: string): Endpoints | undefined {
  const proxy = kubeProxyOf(path, instanceId);
  return proxy && path.propagation.atKubeProxy(proxy, serviceKey);
}

/**
 * The ready endpoints, or the terminating ones that still serve if none is ready (KEP-1669, ProxyTerminatingEndpoints).
 */
export const usableEndpoints = ({ ready, terminating }: Endpoints): readonly Address[] =>
  ready.length > 0 ? ready : terminating;

/** Those on that node. */
export function onNode({ ready, terminating, notServing, ports }: Endpoints, nodeName: string): Endpoints {
  const on = (addresses: readonly Address[]) => addresses.filter((one) => one.nodeName === nodeName);
  return { ready: on(ready), terminating: on(terminating), notServing: on(notServing), ports };
}

function connectTo({ machines, random }: Path, address: string, port: number, throughInstanceId?: string): DialResult {
  const result = machines.connect(address, port);
  if (result.outcome !== 'accepted') return { outcome: result.outcome };
  const { container } = result;
  const through = throughInstanceId === undefined ? {} : { throughInstanceId };
  return { outcome: 'accepted', connection: { container, share: random(), ...through } };
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

/**
 * `closed`: the server closed it, and the client knows. `half-open`: a machine on the way is off, and the client does
 * not know.
 */
export function stateOf(
  { container, throughInstanceId }: Pick<Connection, 'container' | 'throughInstanceId'>,
  { machines, now }: Pick<Path, 'machines' | 'now'>,
): ConnectionState {
  const at = now();
  const isOff = (id: string) => {
    const instance = machines.instance(id);
    return instance === undefined || !isPoweredOn(instance, at);
  };
  if (isOff(container.instanceId) || (throughInstanceId !== undefined && isOff(throughInstanceId))) return 'half-open';
  const current = machines.container(container.id);
  return current === undefined || at >= (current.closesAt ?? Number.POSITIVE_INFINITY) ? 'closed' : 'open';
}
