import type { Component, Surroundings } from '../../rehearsal/setup/surroundings.ts';
import { labelsOf } from '../../settings/pod-selector.ts';
import type { Settings } from '../../validation/settings.ts';

/** Pure. The embedded cluster as the settings describe one: so that what is tried there is what will be done elsewhere. */
export function surroundingsOf(settings: Settings): Surroundings {
  const { namespace, loadBalancerDomain, nodePool, ingressController, dnsAutomation, autoscaler } = settings;
  return {
    namespace,
    zone: zoneOf(settings),
    loadBalancerDomain,
    nodeClass: nodePool.nodeClass.name,
    ingressController: { ...componentOf(ingressController), service: ingressController.service },
    dnsAutomation: componentOf(dnsAutomation),
    autoscaler: componentOf(autoscaler),
  };
}

/** A name that is not in `dns.zone` is in another one, as it would be elsewhere: all but its DNS scenario can be tried. */
function zoneOf({ url, dns: { zone } }: Settings): string {
  const { hostname } = new URL(url);
  return hostname === zone || hostname.endsWith(`.${zone}`) ? zone : hostname.slice(hostname.indexOf('.') + 1);
}

/** A selector that no settings would have asks for nothing. */
function componentOf({ namespace, selector }: Settings['autoscaler']): Component {
  return { namespace, labels: labelsOf(selector) ?? {} };
}
