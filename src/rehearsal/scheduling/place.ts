import type { Node, Pod, Taint } from '../../cluster/resources.ts';
import type { PodSpec } from '../../cluster/specs.ts';
import { controllerOf } from '../objects/owners.ts';
import { isFinished, isTerminating } from '../objects/pods.ts';
import { type Amounts, amounts, fits, plus, quantity, total } from '../objects/quantities.ts';
import { isAskedFor } from './requirements.ts';
import { taintsOf, unschedulableTaint, untolerated } from './taints.ts';

/** A node as the scheduler sees it, there already or only imagined by the autoscaler. */
export interface Place {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly free: Amounts;
  readonly pods: readonly Pod[];
}

export function placeOfNode(node: Node, pods: Iterable<Pod>): Place {
  const there = [...pods].filter((pod) => !isFinished(pod));
  const used = total(there.map(({ spec }) => requestsOf(spec)));
  return {
    name: node.metadata.name,
    labels: node.metadata.labels ?? {},
    taints: taintsOf(node),
    free: plus(allocatableOf(node), used, -1),
    pods: there,
  };
}

/** The place with one pod more on it. */
export function occupied(place: Place, pod: Pod): Place {
  return { ...place, free: plus(place.free, requestsOf(pod.spec), -1), pods: [...place.pods, pod] };
}

const counts = new WeakMap<readonly Pod[], ReadonlyMap<string, number>>();

/** How many pods of each controller are there to stay, by its uid. */
export function siblingsIn({ pods }: Place): ReadonlyMap<string, number> {
  const known = counts.get(pods);
  if (known !== undefined) return known;
  const count = new Map<string, number>();
  for (const pod of pods) {
    const owner = isTerminating(pod) ? undefined : controllerOf(pod)?.uid;
    if (owner !== undefined) count.set(owner, (count.get(owner) ?? 0) + 1);
  }
  counts.set(pods, count);
  return count;
}

/** Why the pod cannot be there, in the scheduler's words; undefined when it can. Neighbours are `spread.ts`. */
export function obstacle(spec: PodSpec, place: Place): string | undefined {
  const taint = untolerated(spec, place.taints);
  if (taint?.key === unschedulableTaint) return 'node(s) were unschedulable';
  if (taint !== undefined) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
  if (!isAskedFor(spec, place.labels)) return "node(s) didn't match Pod's node affinity/selector";
  if (isPortTaken(spec, place)) return "node(s) didn't have free ports for the requested pod ports";
  const wanted = requestsOf(spec);
  if (fits(wanted, place.free)) return undefined;
  const short = Object.keys(wanted).find((name) => (wanted[name] ?? 0) > (place.free[name] ?? 0));
  return short === 'pods' ? 'Too many pods' : `Insufficient ${short}`;
}

const hostPorts = new WeakMap<PodSpec, readonly string[]>();

/** The node's own ports that the pod takes; with the host's network all that its containers name. */
function hostPortsOf(spec: PodSpec): readonly string[] {
  const known = hostPorts.get(spec);
  if (known !== undefined) return known;
  const ports = spec.containers.flatMap((container) => container.ports ?? []);
  const taken = ports.flatMap(({ hostPort, containerPort, protocol = 'TCP' }) => {
    const port = hostPort ?? (spec.hostNetwork ? containerPort : undefined);
    return port === undefined ? [] : [`${protocol} ${port}`];
  });
  hostPorts.set(spec, taken);
  return taken;
}

function isPortTaken(spec: PodSpec, { pods }: Place): boolean {
  const wanted = hostPortsOf(spec);
  return wanted.length > 0 && pods.some((pod) => hostPortsOf(pod.spec).some((port) => wanted.includes(port)));
}

const requests = new WeakMap<PodSpec, Amounts>();

/**
 * What the pod asks of a node: its containers together or its largest init container, whichever is more, its overhead, and
 * one of the node's `pods` (resource/helpers.go, PodRequests). Init containers that stay count with the containers.
 */
export function requestsOf(spec: PodSpec): Amounts {
  const known = requests.get(spec);
  if (known !== undefined) return known;
  const sum: Record<string, number> = { pods: 1 };
  const first = spec.initContainers ?? [];
  const stay = first.filter(({ restartPolicy }) => restartPolicy === 'Always');
  for (const { resources } of [...spec.containers, ...stay]) add(sum, resources?.requests);
  for (const { resources } of first.filter((one) => !stay.includes(one))) {
    for (const [name, text] of Object.entries(resources?.requests ?? {}))
      sum[name] = Math.max(sum[name] ?? 0, quantity(text));
  }
  add(sum, spec.overhead);
  requests.set(spec, sum);
  return sum;
}

function add(sum: Record<string, number>, quantities: Readonly<Record<string, string>> | undefined): void {
  for (const [name, text] of Object.entries(quantities ?? {})) sum[name] = (sum[name] ?? 0) + quantity(text);
}

const allocatables = new WeakMap<object, Amounts>();

function allocatableOf({ status }: Node): Amounts {
  const quantities = status?.allocatable ?? {};
  const known = allocatables.get(quantities) ?? amounts(quantities);
  allocatables.set(quantities, known);
  return known;
}
