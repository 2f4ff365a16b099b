import type { Finding } from '../finding.ts';
import { hasIngress } from '../settings.ts';
import { type Audited, findingOfRule, type Rule } from './audited.ts';
import { disruptionBudget } from './disruption-budget.ts';
import { gracefulTermination, terminationGrace } from './graceful-termination.ts';
import { routeServed } from './http-route.ts';
import { ingressAnnotations } from './ingress-annotations.ts';
import { ingressRetired, ingressShutdown } from './ingress-shutdown.ts';
import { ingressTries } from './ingress-tries.ts';
import { loadBalancerHealth } from './load-balancer-health.ts';
import { readinessProbe } from './readiness-probe.ts';
import { applicationReplicas, ingressApart, ingressReplicas, replicasApart, spread } from './replicas.ts';
import { autoscalerFloor, imageTag, placement, resourceRequests, rollout } from './workload.ts';

/** The six requirements for real zero downtime of 4.2, in its order, then the rules that decide whether they hold. */
export const rules: readonly Rule[] = [
  ingressReplicas,
  applicationReplicas,
  disruptionBudget,
  readinessProbe,
  gracefulTermination,
  terminationGrace,
  loadBalancerHealth,
  spread,
  replicasApart,
  ingressApart,
  ingressShutdown,
  placement,
  resourceRequests,
  rollout,
  autoscalerFloor,
  imageTag,
  ingressAnnotations,
  ingressTries,
  routeServed,
  ingressRetired,
];

/** The findings of an audit, and the required rules for which there was nothing to look at. */
export interface AuditResult {
  readonly findings: readonly Finding[];
  readonly notAudited: readonly string[];
}

/** Applies every rule, in their order; those that look at an Ingress or an HTTPRoute only where there is one. */
export function audit(audited: Audited): AuditResult {
  const { settings } = audited;
  const applied = rules.filter(
    ({ ofIngress, ofRoute }) => (!ofIngress || hasIngress(settings)) && (!ofRoute || settings.httpRoute !== undefined),
  );
  const looking = applied.filter(({ applies }) => applies?.(audited) ?? true);
  const results = looking.map((rule) => ({ rule, verdict: rule.look(audited) }));
  return {
    findings: results.map(({ rule, verdict }) => findingOfRule(rule, verdict)),
    notAudited: results.flatMap(({ rule, verdict }) =>
      rule.required && verdict.outcome === 'not-audited' ? [rule.name] : [],
    ),
  };
}
