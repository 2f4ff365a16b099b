import type { Path } from '../../data-plane/dial.ts';
import type { FrontDoor, Truth } from '../../data-plane/front-door.ts';
import type { Request } from '../../data-plane/routes.ts';
import { average, bad } from '../../data-plane/truth.ts';
import type { Container } from '../../machines/containers.ts';
import { type ProxyWorkers, workersOf } from '../proxy-worker.ts';
import { ingressController, ingressImage } from './objects.ts';
import { proxy } from './proxy.ts';
import { upstreamOf } from './upstream.ts';

/** kubernetes/ingress-nginx (docs/facts/ingress-nginx.md). */
export const ingressNginx: FrontDoor = {
  name: 'ingress-nginx',
  images: [ingressImage],
  objects: ({ starting, surroundings }) => ingressController(starting, surroundings),
  program: 'ingress-nginx',
  controlPlane: 'ingress-nginx',
  open: () => {
    const workers: ProxyWorkers = new Map();
    return {
      answer: (passing, connection, request, deadline) => proxy(passing, workers, connection, request, deadline),
      truth: behindNginx,
    };
  },
};

/**
 * Over all workers that could take the request. Each try may meet any endpoint, as other requests move the worker's
 * turn on.
 */
function behindNginx(path: Path, container: Container, request: Request): Truth {
  const workers = Array.from({ length: workersOf(path, container) }, (_, worker) => worker);
  return average(
    workers.map((worker) => {
      const upstream = upstreamOf(path, container, request, worker);
      if (upstream === undefined) return bad;
      const { addresses, port, tries } = upstream;
      return afterTries(
        addresses.map(({ address }) => path.machines.connect(address, port).outcome),
        tries.most,
      );
    }),
  );
}

function afterTries(outcomes: readonly string[], tries: number): Truth {
  const share = (which: string) => outcomes.filter((outcome) => outcome === which).length / outcomes.length;
  if (outcomes.length === 0) return bad;
  const failing = (1 - share('accepted')) ** tries;
  const fast = Array.from({ length: tries }, (_, before) => share('accepted') * share('refused') ** before);
  return { failing, slow: 1 - failing - fast.reduce((sum, one) => sum + one, 0) };
}
