import { type Path, stateOf } from '../data-plane/dial.ts';
import type { Address } from '../data-plane/endpoint-propagation.ts';
import type { Container } from '../machines/containers.ts';
import { instanceType } from '../machines/instance-types.ts';

/**
 * What one worker of a proxy remembers: whose turn it is, and the connections that it keeps to endpoints.
 */
export interface ProxyWorker {
  /** By Service: the list whose turns are counted, and the endpoint that was last. */
  readonly turns: Map<string, Turn>;
  /** The least recently used first. */
  readonly kept: KeptConnection[];
}

interface Turn {
  readonly addresses: readonly Address[];
  readonly last: number;
}

interface KeptConnection {
  readonly container: Container;
  readonly address: string;
  readonly port: number;
  /** Epoch milliseconds. */
  readonly usedAt: number;
}

/** The workers by the id of their controller's container. */
export type ProxyWorkers = Map<string, ProxyWorker[]>;

export function workerOf(workers: ProxyWorkers, containerId: string, index: number): ProxyWorker {
  const ofContainer = workers.get(containerId) ?? [];
  workers.set(containerId, ofContainer);
  const worker = ofContainer[index] ?? { turns: new Map(), kept: [] };
  ofContainer[index] = worker;
  return worker;
}

/**
 * The endpoint whose turn it is. Every try of every request of the worker moves the turn on, and nothing makes a retry
 * avoid the endpoint that failed (ingress-nginx, rootfs/etc/nginx/lua/balancer.lua; resty.roundrobin). A new list
 * begins anywhere.
 */
export function nextInTurn(
  { turns }: ProxyWorker,
  serviceKey: string,
  addresses: readonly Address[],
  random: () => number,
): Address {
  const turn = turns.get(serviceKey);
  const before = turn?.addresses === addresses ? turn.last : Math.floor(random() * addresses.length);
  const last = (before + 1) % addresses.length;
  turns.set(serviceKey, { addresses, last });
  return addresses[last] as Address;
}

/** ingress-nginx: upstream-keepalive-timeout. */
const usuallyKeptSeconds = 60;
/** ingress-nginx: upstream-keepalive-connections, of one worker. */
const mostKept = 320;

/**
 * The process at the other end of a connection that the worker keeps to that endpoint. `half-open`: its machine is off,
 * and nothing has told the worker. One that the endpoint has closed is none.
 */
export function takeKept(
  { kept }: Pick<ProxyWorker, 'kept'>,
  path: Path,
  address: string,
  port: number,
  keptSeconds = usuallyKeptSeconds,
): { readonly container: Container; readonly state: 'open' | 'half-open' } | undefined {
  for (;;) {
    const index = kept.findLastIndex((one) => one.address === address && one.port === port);
    const [taken] = index === -1 ? [] : kept.splice(index, 1);
    if (taken === undefined) return undefined;
    const state = stateOf(taken, path);
    if (state !== 'closed' && path.now() < taken.usedAt + 1000 * keptSeconds)
      return { container: taken.container, state };
  }
}

export function keep({ kept }: Pick<ProxyWorker, 'kept'>, connection: KeptConnection): void {
  kept.push(connection);
  if (kept.length > mostKept) kept.shift();
}

/** nginx and Envoy run one worker for each core (worker_processes auto; --concurrency). */
export function workersOf({ machines }: Pick<Path, 'machines'>, { instanceId }: Container): number {
  return instanceType(machines.instance(instanceId)?.type ?? '')?.vcpus ?? 1;
}
