import type { Pod } from '../kubernetes/resources.ts';
import type { PodSpec } from '../kubernetes/specs.ts';
import { type Amounts, plus, total } from '../objects/quantities.ts';
import { type NodeInfo, requestsOf } from './node-info.ts';

/** What a container without a request counts for (scheduler/util/pod_resources.go): 100 millicores and 200 MiB. */
const unrequested: Amounts = { cpu: 0.1, memory: 200 * 2 ** 20 };

interface Usage {
  readonly allocatable: Amounts;
  readonly requested: Amounts;
  /** With what is assumed of containers without requests. */
  readonly assumed: Amounts;
}

const usages = new WeakMap<readonly Pod[], Usage>();

function usageOf({ pods, free }: NodeInfo): Usage {
  const known = usages.get(pods);
  if (known !== undefined) return known;
  const requested = total(pods.map(({ spec }) => requestsOf(spec)));
  const assumed = total(pods.map(({ spec }) => assumedOf(spec)));
  const usage = { allocatable: plus(free, requested), requested, assumed };
  usages.set(pods, usage);
  return usage;
}

/**
 * NodeResourcesFit with LeastAllocated (the mean free share of CPU and memory) and NodeResourcesBalancedAllocation (how
 * alike both shares are), each from 0 to 100 and of weight 1 (noderesources/least_allocated.go,
 * balanced_allocation.go).
 */
export function resourceScore(spec: PodSpec, node: NodeInfo): number {
  const { allocatable, requested, assumed } = usageOf(node);
  const share = (amounts: Amounts, name: string) => Math.min(1, (amounts[name] ?? 0) / (allocatable[name] ?? 0) || 0);
  const [later, exact] = [plus(assumed, assumedOf(spec)), plus(requested, requestsOf(spec))];
  const free = ['cpu', 'memory'].map((name) => Math.floor(100 * (1 - share(later, name))));
  const least = Math.floor(free.reduce((sum, one) => sum + one, 0) / free.length);
  const deviation = Math.abs(share(exact, 'cpu') - share(exact, 'memory')) / 2;
  return least + Math.floor(100 * (1 - deviation));
}

const assumptions = new WeakMap<PodSpec, Amounts>();

function assumedOf(spec: PodSpec): Amounts {
  const known = assumptions.get(spec);
  if (known !== undefined) return known;
  const missing = (name: string) =>
    spec.containers.filter(({ resources }) => resources?.requests?.[name] === undefined).length;
  const made = plus(requestsOf(spec), {
    cpu: missing('cpu') * (unrequested.cpu ?? 0),
    memory: missing('memory') * (unrequested.memory ?? 0),
  });
  assumptions.set(spec, made);
  return made;
}
