import { labelsOf } from '../../settings/pod-selector.ts';
import { hasIngress, hasKarpenter, type Settings } from '../settings.ts';

/** What several applications of one cluster may have in common, as a text that is the same for those that share it. */

/** The nodes on which their pods run. */
export function poolOf(settings: Settings): string {
  if (hasKarpenter(settings)) return `pool ${settings.nodePool.name}`;
  const labels = Object.entries(labelsOf(nodeLabels(settings)) ?? {}).toSorted(([a], [b]) => a.localeCompare(b));
  return `nodes ${JSON.stringify(labels)}`;
}

/** The labels of the nodes where no Karpenter launches them. */
export const nodeLabels = ({ nodePool }: Settings): string => nodePool.selector ?? `role=${nodePool.role}`;

/** Empty without one. */
export const ingressControllerOf = (settings: Settings): string =>
  hasIngress(settings) ? componentOf(settings.ingressController) : '';

export const dnsAutomationOf = ({ dnsAutomation }: Settings): string => componentOf(dnsAutomation);

const componentOf = ({ namespace, selector }: Settings['dnsAutomation']): string => `${namespace} ${selector}`;
