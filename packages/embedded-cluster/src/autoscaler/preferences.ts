import type { Pod } from '../kubernetes/resources.ts';
import type { Affinity, NodeSelectorTerm, PodSpec } from '../kubernetes/specs.ts';

/** The preferences of a pod that count as required; each list holds indexes, the heaviest first. */
interface Kept {
  readonly podAffinity: number;
  readonly podAntiAffinity: number;
  readonly nodeAffinity: number;
  readonly spread: number;
}

type Weighted = readonly { readonly weight: number }[] | undefined;

const chains = new WeakMap<Pod, readonly Pod[]>();

/**
 * The pod as Karpenter tries it one after the other: first with all its preferences as if they were required, then with
 * one fewer each time, down to what it requires (provisioning/scheduling/preferences.go, topology.go). The same pods
 * each time for the same pod.
 */
export function relaxations(pod: Pod): readonly Pod[] {
  const known = chains.get(pod);
  if (known !== undefined) return known;
  const chain = keptOf(pod.spec).map((kept) => (isNothing(kept) ? pod : { ...pod, spec: requiring(pod.spec, kept) }));
  chains.set(pod, chain);
  return chain;
}

const isNothing = (kept: Kept): boolean => Object.values(kept).every((count) => count === 0);

/**
 * Relaxed in this order: pod affinity, pod anti-affinity, node affinity, each the heaviest term first, and spread
 * constraints.
 */
function keptOf({ affinity, topologySpreadConstraints = [] }: PodSpec): readonly Kept[] {
  const count = (terms: Weighted) => terms?.length ?? 0;
  let kept: Kept = {
    podAffinity: count(affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    podAntiAffinity: count(affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    nodeAffinity: count(affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    spread: topologySpreadConstraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway').length,
  };
  const chain = [kept];
  for (const name of ['podAffinity', 'podAntiAffinity', 'nodeAffinity', 'spread'] as const)
    while (kept[name] > 0) {
      kept = { ...kept, [name]: kept[name] - 1 };
      chain.push(kept);
    }
  return chain;
}

function requiring(spec: PodSpec, kept: Kept): PodSpec {
  const { affinity, topologySpreadConstraints } = spec;
  const anyway = (topologySpreadConstraints ?? []).filter((one) => one.whenUnsatisfiable === 'ScheduleAnyway');
  const required = new Set(anyway.slice(anyway.length - kept.spread));
  return {
    ...spec,
    ...(affinity === undefined ? {} : { affinity: requiringTerms(affinity, kept) }),
    ...(topologySpreadConstraints === undefined
      ? {}
      : {
          topologySpreadConstraints: topologySpreadConstraints.map((one) =>
            required.has(one) ? { ...one, whenUnsatisfiable: 'DoNotSchedule' } : one,
          ),
        }),
  };
}

/** The `count` lightest terms, the heaviest of them first. */
const lightest = <T extends { readonly weight: number }>(
  terms: readonly T[] | undefined,
  count: number,
): readonly T[] => (count === 0 ? [] : (terms ?? []).toSorted((a, b) => b.weight - a.weight).slice(-count));

function requiringTerms({ podAffinity = {}, podAntiAffinity = {}, nodeAffinity = {} }: Affinity, kept: Kept): Affinity {
  const withTerms = (own: NonNullable<Affinity['podAffinity']>, count: number) => ({
    ...own,
    requiredDuringSchedulingIgnoredDuringExecution: [
      ...(own.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...lightest(own.preferredDuringSchedulingIgnoredDuringExecution, count).map((one) => one.podAffinityTerm),
    ],
  });
  const [heaviest] = lightest(nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution, kept.nodeAffinity);
  const terms = nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [{}];
  const both = (term: NodeSelectorTerm, { matchExpressions = [], matchFields = [] }: NodeSelectorTerm) => ({
    matchExpressions: [...(term.matchExpressions ?? []), ...matchExpressions],
    matchFields: [...(term.matchFields ?? []), ...matchFields],
  });
  return {
    podAffinity: withTerms(podAffinity, kept.podAffinity),
    podAntiAffinity: withTerms(podAntiAffinity, kept.podAntiAffinity),
    nodeAffinity:
      heaviest === undefined
        ? nodeAffinity
        : {
            ...nodeAffinity,
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: terms.map((term) => both(term, heaviest.preference)),
            },
          },
  };
}
