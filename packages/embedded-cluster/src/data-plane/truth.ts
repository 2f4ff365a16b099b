import { programOf } from '../machines/images.ts';
import { isPoweredOn } from '../machines/instances.ts';
import { openTargets } from '../machines/load-balancers.ts';
import type { Answering } from './application.ts';
import { endpointsAtNode, onNode, type Path, usableEndpoints } from './dial.ts';
import type { FrontDoor, Proxies, Truth } from './front-door.ts';
import type { Request } from './routes.ts';

interface Passed extends Path, Pick<Answering, 'delays'> {
  readonly door: Pick<FrontDoor, 'program'>;
  readonly proxies: Proxies;
}

const good: Truth = { failing: 0, slow: 0 };
export const bad: Truth = { failing: 1, slow: 0 };

/** Computed without making a request, and for tests only: nothing that a run measures comes from here. */
export function truthAt(path: Passed, address: string, request: Request): Truth {
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

function behindPod(path: Passed, address: string, port: number, request: Request): Truth {
  const result = path.machines.connect(address, port);
  if (result.outcome !== 'accepted') return bad;
  const isProxy = programOf(result.container.image).name === path.door.program;
  return isProxy ? path.proxies.truth(path, result.container, request) : good;
}

/** With nothing to pick from, the request fails. */
export function average(truths: readonly Truth[]): Truth {
  if (truths.length === 0) return bad;
  const mean = (share: (truth: Truth) => number) =>
    truths.reduce((sum, truth) => sum + share(truth), 0) / truths.length;
  return { failing: mean(({ failing }) => failing), slow: mean(({ slow }) => slow) };
}
