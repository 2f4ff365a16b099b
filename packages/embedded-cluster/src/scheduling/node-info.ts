import type { Node, Pod, Taint } from '../kubernetes/resources.ts';
import type { PodSpec } from '../kubernetes/specs.ts';
import { controllerOf } from '../objects/owners.ts';
import { isFinished, isSidecar, isTerminating } from '../objects/pods.ts';
import { type Amounts, amounts, fits, plus, quantity, total } from '../objects/quantities.ts';
import { matchesNodeSelection } from './requirements.ts';
import { taintsOf, unschedulableTaint, untolerated } from './taints.ts';

/**
 * A node as the scheduler sees it (kube-scheduler, framework.NodeInfo): an existing one, or one that the autoscaler
 * plans.
 */
export interface NodeInfo {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** Allocatable less the requests of its pods. */
  readonly free: Amounts;
  readonly pods: readonly Pod[];
}

export function nodeInfoOf(node: Node, pods: Iterable<Pod>): NodeInfo {
  const active = [...pods].filter((pod) => !isFinished(pod));
  const used = total(active.map(({ spec }) => requestsOf(spec)));
  return {
    name: node.metadata.name,
    labels: node.metadata.labels ?? {},
    taints: taintsOf(node),
    free: plus(allocatableOf(node), used, -1),
    pods: active,
  };
}

/** The node with this pod on it too. */
export function withPodAdded(node: NodeInfo, pod: Pod): NodeInfo {
  return { ...node, free: plus(node.free, requestsOf(pod.spec), -1), pods: [...node.pods, pod] };
}

const counts = new WeakMap<readonly Pod[], ReadonlyMap<string, number>>();

/** How many pods each controller has on the node, by its uid; terminating ones do not count. */
export function podsByController({ pods }: NodeInfo): ReadonlyMap<string, number> {
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

/**
 * Why the node itself cannot take the pod, as kube-scheduler's filter plugins phrase it: taints, node selection, host
 * ports, resources; undefined when it can. What depends on other pods is `topologyObstacle`.
 */
export function nodeObstacle(spec: PodSpec, node: NodeInfo): string | undefined {
  const taint = untolerated(spec, node.taints);
  if (taint?.key === unschedulableTaint) return 'node(s) were unschedulable';
  if (taint !== undefined) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
  if (!matchesNodeSelection(spec, node.labels)) return "node(s) didn't match Pod's node affinity/selector";
  if (isPortTaken(spec, node)) return "node(s) didn't have free ports for the requested pod ports";
  const wanted = requestsOf(spec);
  if (fits(wanted, node.free)) return undefined;
  const exceeded = Object.keys(wanted).find((name) => (wanted[name] ?? 0) > (node.free[name] ?? 0));
  return exceeded === 'pods' ? 'Too many pods' : `Insufficient ${exceeded}`;
}

const hostPorts = new WeakMap<PodSpec, readonly string[]>();

/** The ports of the node that the pod uses; with hostNetwork all ports that its containers name. */
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

function isPortTaken(spec: PodSpec, { pods }: NodeInfo): boolean {
  const wanted = hostPortsOf(spec);
  return wanted.length > 0 && pods.some((pod) => hostPortsOf(pod.spec).some((port) => wanted.includes(port)));
}

const requests = new WeakMap<PodSpec, Amounts>();

/**
 * What the pod requests of a node (resource/helpers.go, PodRequests): its containers and sidecars together, or its
 * largest init container with the sidecars that run by then, whichever is more; its overhead; one of the node's `pods`.
 */
export function requestsOf(spec: PodSpec): Amounts {
  const known = requests.get(spec);
  if (known !== undefined) return known;
  const sum: Record<string, number> = { pods: 1 };
  const sidecars: Record<string, number> = {};
  const initial: Record<string, number> = {};
  for (const { resources } of spec.containers) add(sum, resources?.requests);
  for (const one of spec.initContainers ?? []) {
    const wanted = one.resources?.requests;
    if (isSidecar(one)) {
      add(sum, wanted);
      add(sidecars, wanted);
    }
    const meanwhile = { ...sidecars };
    if (!isSidecar(one)) add(meanwhile, wanted);
    atLeast(initial, meanwhile);
  }
  atLeast(sum, initial);
  add(sum, spec.overhead);
  requests.set(spec, sum);
  return sum;
}

function atLeast(amounts: Record<string, number>, others: Amounts): void {
  for (const [name, amount] of Object.entries(others)) amounts[name] = Math.max(amounts[name] ?? 0, amount);
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
