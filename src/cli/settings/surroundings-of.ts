import { type Component, type Surroundings, usualSurroundings } from '../../rehearsal/setup/surroundings.ts';
import { labelsOf } from '../../settings/pod-selector.ts';
import { poolSelector } from '../../validation/observe/snapshot.ts';
import { hasKarpenter, type Settings } from '../../validation/settings.ts';

/** The embedded cluster that matches the settings, so that a rehearsal does what a real run will do. */
export function surroundingsOf(settings: Settings): Surroundings {
  const { namespace, loadBalancerDomain, nodePool, ingressController, dnsAutomation, autoscaler, rehearse } = settings;
  return {
    namespace,
    zone: zoneOf(settings),
    loadBalancerDomain,
    nodeClass: nodePool.nodeClass.name,
    ingressController: { ...componentOf(ingressController), service: ingressController.service },
    ingress: rehearse?.ingress ?? usualSurroundings.ingress,
    dnsAutomation: componentOf(dnsAutomation),
    autoscaler: componentOf(autoscaler),
    ...(hasKarpenter(settings) ? {} : { nodeGroup: { role: nodePool.role, ...labelsOf(poolSelector(settings)) } }),
  };
}

/** A name outside `dns.zone` is in a zone of its own, as on a real cluster: every scenario but dns-failure can run. */
function zoneOf({ url, dns: { zone } }: Settings): string {
  const { hostname } = new URL(url);
  return hostname === zone || hostname.endsWith(`.${zone}`) ? zone : hostname.slice(hostname.indexOf('.') + 1);
}

/** A selector without labels matches no component. */
function componentOf({ namespace, selector }: Settings['dnsAutomation']): Component {
  return { namespace, labels: labelsOf(selector) ?? {} };
}
