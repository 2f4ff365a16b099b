import { hasIngress, hasKarpenter, hasReplicas, type Settings } from '../settings.ts';
import type { Scenario } from './scenario.ts';

/** What a scenario needs and these settings say is not there; undefined if nothing is missing. */
export function lacks(
  settings: Settings,
  { needsKarpenter, needsIngress, needsReplicas }: Scenario,
): string | undefined {
  if (needsKarpenter && !hasKarpenter(settings)) return 'Karpenter, and validation.autoscaler.kind is none';
  if (needsReplicas && !hasReplicas(settings)) return 'replicas to scale, and a DaemonSet has none';
  return needsIngress && !hasIngress(settings) ? 'an ingress controller, and validation.ingress is null' : undefined;
}
