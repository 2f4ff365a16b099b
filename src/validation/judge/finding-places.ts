import type { Cause, Expectation, ManifestPlace } from '../finding.ts';
import { scenarioNamed } from '../scenarios/index.ts';

/**
 * `balancer`: the Service of type LoadBalancer, where visitors come through one; `pool`: the NodePool of the manifests.
 */
export type Written = 'workload' | 'budget' | 'autoscaler' | 'ingress' | 'balancer' | 'pool';

/**
 * For each rule of the audit the object and the field to change; `CONTAINER` is the container that visitors reach,
 * `BUDGET` what the budget says.
 */
export const placesOfRules: Readonly<Record<string, readonly [Written, string]>> = {
  'application-replicas': ['workload', 'spec.replicas'],
  'disruption-budget': ['budget', 'spec.BUDGET'],
  'readiness-probe': ['workload', 'CONTAINER.readinessProbe'],
  'graceful-termination': ['workload', 'CONTAINER.lifecycle.preStop'],
  'termination-grace': ['workload', 'spec.template.spec.terminationGracePeriodSeconds'],
  spread: ['workload', 'spec.template.spec.topologySpreadConstraints'],
  'replicas-apart': ['workload', 'spec.template.spec.topologySpreadConstraints'],
  placement: ['workload', 'spec.template.spec.nodeSelector'],
  'resource-requests': ['workload', 'CONTAINER.resources.requests'],
  'image-tag': ['workload', 'CONTAINER.image'],
  rollout: ['workload', 'spec.strategy'],
  'autoscaler-floor': ['autoscaler', 'spec.minReplicas'],
  'ingress-annotations': ['ingress', 'metadata.annotations'],
  'ingress-tries': ['ingress', 'metadata.annotations'],
  'http-route': ['ingress', 'spec.rules'],
  'load-balancer-health': ['balancer', 'metadata.annotations'],
};

/** For each pre-check that manifests may fail, the object and the field that may be why. */
export const placesOfChecks: Readonly<Record<string, readonly [Written, string]>> = {
  'ingress-address': ['balancer', 'spec.loadBalancerClass'],
  application: ['workload', 'spec.template.spec'],
};

/** For each finding on the nodes that a field of their pool decides, that field. */
export const placesOfPool: Readonly<Record<string, readonly [Written, string]>> = {
  'node-requirements': ['pool', 'spec.template.spec.requirements'],
  'node-claims': ['pool', 'spec.template.spec.expireAfter'],
  'consolidation-policy': ['pool', 'spec.disruption.consolidationPolicy'],
  'pool-budgets': ['pool', 'spec.disruption.budgets'],
};

/** The fields that may block a scenario, by the kind of their objects. */
export const causeFields: Readonly<Record<string, readonly string[]>> = {
  NodePool: ['spec.limits', 'spec.template.spec.taints', 'spec.disruption.budgets'],
  PersistentVolumeClaim: ['spec.accessModes', 'spec.volumeName'],
  PodDisruptionBudget: ['spec.selector', 'spec.selector.matchLabels', 'spec.minAvailable', 'spec.maxUnavailable'],
};

/** The same of the workload, besides its containers' probes. */
export const workloadCauseFields: readonly string[] = [
  'spec.template.metadata.annotations',
  'spec.template.spec.nodeSelector',
  'spec.template.spec.affinity',
  'spec.template.spec.affinity.podAntiAffinity',
  'spec.template.spec.topologySpreadConstraints',
  'spec.template.spec.readinessGates',
];

/** The key of a cause among the places of the rules. */
export const causeKey = ({ kind, name, field }: Cause): string => `${kind}/${name} ${field}`;

/**
 * The field to change for a finding. For a finding of the audit it is the field of its rule. For a measured one it is
 * the field that its advice names; else the field of the first rule that it depends on and that the audit finds
 * violated too, or of the first of all. Null if the manifests do not decide it.
 */
export function placeOfFinding(
  { id, rules: advised, because }: Pick<Expectation, 'id' | 'rules' | 'because'>,
  scenario: string | undefined,
  places: Readonly<Record<string, ManifestPlace>>,
  faulted: ReadonlySet<string>,
): ManifestPlace | null {
  if (because !== undefined) return places[causeKey(because)] ?? null;
  const rules = scenario === undefined ? [id] : restsOn(scenario, id);
  const likeliest = advised ?? [...rules.filter((one) => faulted.has(one)), ...rules];
  const [place] = likeliest.flatMap((rule) => places[rule] ?? []);
  return place ?? null;
}

const restsOn = (scenario: string, id: string): readonly string[] => scenarioNamed(scenario)?.restsOn?.[id] ?? [];
