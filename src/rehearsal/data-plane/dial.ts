import type { Container } from '../machines/containers.ts';
import { programOf } from '../machines/images.ts';
import { isPoweredOn } from '../machines/instances.ts';
import { type LoadBalancers, openTargets, type ServicePort } from '../machines/load-balancers.ts';
import type { Machines } from '../machines/machines.ts';
import type { Address, Endpoints, Learned, Learner } from './endpoint-propagation.ts';

/** What the request path is made of. */
export interface Path {
  readonly machines: Machines;
  readonly learned: Learned;
  readonly loadBalancers: LoadBalancers;
  readonly now: () => number;
  /** The stream of random numbers of the network: who is picked, and how long a hop takes. */
  readonly random: () => number;
}

/** A connection that was accepted: the process at its end, and the machine that it was sent through. */
export interface Flow {
  readonly container: Container;
  readonly throughInstanceId?: string;
}
export type Dialled =
  | { readonly answer: 'accepts'; readonly flow: Flow }
  | { readonly answer: 'refuses' }
  | { readonly answer: 'silence' };

/** Where a new connection to that address ends: load balancer → node → what its kube-proxy last learned → pod. */
export function dial(path: Path, address: string, port: number): Dialled {
  const balancer = path.loadBalancers.byAddress(address);
  if (balancer === undefined) return knocked(path, address, port);
  const portName = balancer.ports[port];
  if (portName === undefined || path.now() < balancer.activeAt) return { answer: 'silence' };
  const target = pick(openTargets(balancer, path.now()), path.random);
  if (target === undefined) return { answer: 'refuses' };
  return throughNode(path, target.instanceId, { serviceKey: balancer.serviceKey, portName });
}

/** A connection to a node port of that machine; its kube-proxy sends it to any of the Service's endpoints, on any machine. */
export function throughNode(path: Path, instanceId: string, port: ServicePort): Dialled {
  const { machines, random, now } = path;
  const instance = machines.instance(instanceId);
  if (instance === undefined || !isPoweredOn(instance, now())) return { answer: 'silence' };
  const known = knownTo(path, instanceId, port.serviceKey);
  const endpoint = known && pick(usable(known), random);
  if (endpoint === undefined) return { answer: 'refuses' };
  return knocked(path, endpoint.address, known?.ports[port.portName] ?? 0, instanceId);
}

/** What that machine's kube-proxy last learned of a Service. */
export function knownTo(path: Path, instanceId: string, serviceKey: string): Endpoints | undefined {
  const proxy = kubeProxyOf(path, instanceId);
  return proxy && path.learned.toKubeProxy(proxy, serviceKey);
}

/** The ready endpoints; those on their way out when there is no other (ProxyTerminatingEndpoints). */
export const usable = ({ ready, leaving }: Endpoints): readonly Address[] => (ready.length > 0 ? ready : leaving);

function knocked({ machines }: Path, address: string, port: number, throughInstanceId?: string): Dialled {
  const knock = machines.knock(address, port);
  if (knock.answer !== 'accepts') return knock;
  const { container } = knock;
  return {
    answer: 'accepts',
    flow: throughInstanceId === undefined ? { container } : { container, throughInstanceId },
  };
}

/** The kube-proxy of a machine: what it wrote into the kernel outlives it. */
function kubeProxyOf({ machines, now }: Path, instanceId: string): Learner | undefined {
  const proxy = machines
    .containersOn(instanceId)
    .findLast(({ image, listensAt }) => programOf(image).name === 'kube-proxy' && listensAt <= now());
  return proxy && { id: proxy.id, startedAt: proxy.listensAt, endedAt: proxy.exitsAt };
}

export function pick<T>(items: readonly T[], random: () => number): T | undefined {
  return items[Math.floor(random() * items.length)];
}

export type FlowState = 'open' | 'closed' | 'silent';

/** `closed`: the other end said goodbye, and the client knows. `silent`: a machine on the way is gone, and it does not. */
export function stateOf({ container, throughInstanceId }: Flow, { machines, now }: Path): FlowState {
  const at = now();
  const isDead = (id: string) => {
    const instance = machines.instance(id);
    return instance === undefined || !isPoweredOn(instance, at);
  };
  if (isDead(container.instanceId) || (throughInstanceId !== undefined && isDead(throughInstanceId))) return 'silent';
  const current = machines.container(container.id);
  return current === undefined || at >= (current.closesAt ?? Number.POSITIVE_INFINITY) ? 'closed' : 'open';
}
