import type { Container } from '../machines/containers.ts';
import { programOf } from '../machines/images.ts';
import { isPoweredOn } from '../machines/instances.ts';
import { openTargets } from '../machines/load-balancers.ts';
import { knownTo, type Path, usable } from './dial.ts';
import { tries } from './serve.ts';
import { type Request, upstreamOf, workersOf } from './upstream.ts';

/** What would become of new requests made at this instant, as shares of all that could be picked on the way. */
export interface Truth {
  /** Would fail: refused, swallowed, or answered 5xx. */
  readonly failing: number;
  /** Would be answered, but only after a connection to a dead machine had timed out. */
  readonly slow: number;
}

const good: Truth = { failing: 0, slow: 0 };
const bad: Truth = { failing: 1, slow: 0 };

/** The truth about the path behind that address, without making a request. Only tests ask: nothing that is measured comes from here. */
export function truthAt(path: Path, address: string, request: Request): Truth {
  const balancer = path.loadBalancers.byAddress(address);
  const portName = balancer?.ports[80];
  if (balancer === undefined || portName === undefined) return bad;
  const behindNode = (instanceId: string) => {
    const instance = path.machines.instance(instanceId);
    const known = knownTo(path, instanceId, balancer.serviceKey);
    if (known === undefined || instance === undefined || !isPoweredOn(instance, path.now())) return bad;
    return average(usable(known).map(({ address: pod }) => behindPod(path, pod, known.ports[portName] ?? 0, request)));
  };
  return average(openTargets(balancer, path.now()).map(({ instanceId }) => behindNode(instanceId)));
}

function behindPod(path: Path, address: string, port: number, request: Request): Truth {
  const knock = path.machines.knock(address, port);
  if (knock.answer !== 'accepts') return bad;
  return programOf(knock.container.image).name === 'ingress-nginx' ? behindNginx(path, knock.container, request) : good;
}

/** Whichever worker takes it, and whichever endpoint that one begins with. */
function behindNginx(path: Path, container: Container, request: Request): Truth {
  const workers = Array.from({ length: workersOf(path, container) }, (_, worker) => worker);
  return average(
    workers.map((worker) => {
      const { addresses = [], port = 0 } = upstreamOf(path, container, request, worker) ?? {};
      const answers = addresses.map(({ address }) => path.machines.knock(address, port).answer);
      return average(answers.map((_, first) => oneWay(answers, first)));
    }),
  );
}

function oneWay(answers: readonly string[], first: number): Truth {
  const tried = Array.from({ length: tries }, (_, step) => answers[(first + step) % answers.length]);
  const success = tried.indexOf('accepts');
  if (success === -1) return bad;
  return tried.slice(0, success).includes('silence') ? { failing: 0, slow: 1 } : good;
}

/** Nothing to pick from is a failure. */
function average(truths: readonly Truth[]): Truth {
  if (truths.length === 0) return bad;
  const mean = (share: (truth: Truth) => number) =>
    truths.reduce((sum, truth) => sum + share(truth), 0) / truths.length;
  return { failing: mean(({ failing }) => failing), slow: mean(({ slow }) => slow) };
}
