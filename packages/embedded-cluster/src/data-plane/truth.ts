import type { Container } from '../machines/containers.ts';
import { programOf } from '../machines/images.ts';
import { isPoweredOn } from '../machines/instances.ts';
import { openTargets } from '../machines/load-balancers.ts';
import { endpointsAtNode, onNode, type Path, usableEndpoints } from './dial.ts';
import { upstreamTries } from './ingress-proxy.ts';
import { type Request, upstreamOf, workersOf } from './upstream.ts';

/**
 * What would happen to new requests at this instant, over all targets and endpoints that could be picked: shares in [0,
 * 1].
 */
export interface Truth {
  /** Refused, dropped, or answered 5xx. */
  readonly failing: number;
  /** Answered, but only after a try that nothing came back from. */
  readonly slow: number;
}

const good: Truth = { failing: 0, slow: 0 };
const bad: Truth = { failing: 1, slow: 0 };

/** Computed without making a request, and for tests only: nothing that a run measures comes from here. */
export function truthAt(path: Path, address: string, request: Request): Truth {
  const balancer = path.loadBalancers.byAddress(address);
  const portName = balancer?.ports[80];
  if (balancer === undefined || portName === undefined) return bad;
  const behindNode = (instanceId: string) => {
    const instance = path.machines.instance(instanceId);
    const endpoints = endpointsAtNode(path, instanceId, balancer.serviceKey);
    if (endpoints === undefined || instance === undefined || !isPoweredOn(instance, path.now())) return bad;
    return average(
      usableEndpoints(balancer.isLocal === true ? onNode(endpoints, instance.nodeName) : endpoints).map(
        ({ address: pod }) => behindPod(path, pod, endpoints.ports[portName] ?? 0, request),
      ),
    );
  };
  const podPort = balancer.podPorts?.[portName];
  return average(
    openTargets(balancer, path.now()).map(({ id }) =>
      podPort === undefined ? behindNode(id) : behindPod(path, id, podPort, request),
    ),
  );
}

function behindPod(path: Path, address: string, port: number, request: Request): Truth {
  const result = path.machines.connect(address, port);
  if (result.outcome !== 'accepted') return bad;
  const isProxy = programOf(result.container.image).name === 'ingress-nginx';
  return isProxy ? behindNginx(path, result.container, request) : good;
}

/**
 * Over all workers that could take the request. Each try may meet any endpoint, as other requests move the worker's
 * turn on.
 */
function behindNginx(path: Path, container: Container, request: Request): Truth {
  const workers = Array.from({ length: workersOf(path, container) }, (_, worker) => worker);
  return average(
    workers.map((worker) => {
      const { addresses = [], port = 0 } = upstreamOf(path, container, request, worker) ?? {};
      return afterTries(addresses.map(({ address }) => path.machines.connect(address, port).outcome));
    }),
  );
}

function afterTries(outcomes: readonly string[]): Truth {
  const share = (which: string) => outcomes.filter((outcome) => outcome === which).length / outcomes.length;
  if (outcomes.length === 0) return bad;
  const failing = (1 - share('accepted')) ** upstreamTries;
  const fast = Array.from({ length: upstreamTries }, (_, before) => share('accepted') * share('refused') ** before);
  return { failing, slow: 1 - failing - fast.reduce((sum, one) => sum + one, 0) };
}

/** With nothing to pick from, the request fails. */
function average(truths: readonly Truth[]): Truth {
  if (truths.length === 0) return bad;
  const mean = (share: (truth: Truth) => number) =>
    truths.reduce((sum, truth) => sum + share(truth), 0) / truths.length;
  return { failing: mean(({ failing }) => failing), slow: mean(({ slow }) => slow) };
}
