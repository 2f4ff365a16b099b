import { type Component, type Surroundings, usualSurroundings } from '@holdfast/embedded-cluster';
import { labelsOf } from '../../settings/pod-selector.ts';
import { requirementsOf } from '../../validation/manifests/manifests.ts';
import { zoneOf } from '../../validation/manifests/own-settings.ts';
import { poolSelector } from '../../validation/observe/snapshot.ts';
import { hasKarpenter, type Settings } from '../../validation/settings.ts';

/** The embedded cluster that matches the settings, so that a rehearsal does what a real run will do. */
export function surroundingsOf(settings: Settings): Surroundings {
  const { namespace, loadBalancerDomain, nodePool, ingressController, dnsAutomation, autoscaler, rehearse } = settings;
  return {
    namespace,
    zone: servedZone(settings),
    loadBalancerDomain,
    nodeClass: nodePool.nodeClass.name,
    zones: zonesOf(settings),
    ingressController: { ...componentOf(ingressController), service: ingressController.service },
    frontDoor: proxiesOf(rehearse?.frontDoor),
    ingress: rehearse?.ingress ?? usualSurroundings.ingress,
    dnsAutomation: componentOf(dnsAutomation),
    autoscaler: componentOf(autoscaler),
    nodeReadySeconds: rehearse?.nodeReady,
    interruptionQueue: rehearse?.interruptionQueue ?? usualSurroundings.interruptionQueue,
    missingImages: rehearse?.missingImages ?? usualSurroundings.missingImages,
    ...(hasKarpenter(settings) ? {} : { nodeGroup: { role: nodePool.role, ...labelsOf(poolSelector(settings)) } }),
  };
}

/** A load balancer alone has no proxies: the ingress controller of others is there beside it. */
function proxiesOf(door: NonNullable<Settings['rehearse']>['frontDoor']): Surroundings['frontDoor'] {
  return door === undefined || door === 'alb' || door === 'nlb' ? usualSurroundings.frontDoor : door;
}

/** Those that the nodes' requirements name, and the first three of their region. */
function zonesOf(settings: Settings): Surroundings['zones'] {
  const named = requirementsOf(settings)
    .filter(({ key, operator }) => key === 'topology.kubernetes.io/zone' && operator === 'In')
    .flatMap(({ values = [] }) => values.filter((value) => /^[a-z]+(-[a-z]+)+-\d+[a-z]$/.test(value)));
  const regions = requirementsOf(settings)
    .filter(({ key, operator }) => key === 'topology.kubernetes.io/region' && operator === 'In')
    .flatMap(({ values = [] }) => values);
  const region = named[0]?.slice(0, -1) ?? regions[0];
  if (region === undefined) return usualSurroundings.zones;
  const own = named.filter((zone) => zone.startsWith(region));
  const [first = '', ...others] = [...new Set([...own, ...['a', 'b', 'c'].map((letter) => region + letter)])].sort();
  return [first, ...others];
}

/** A name outside `dns.zone` is in a zone of its own, as on a real cluster: every scenario but dns-failure can run. */
function servedZone({ url, dns: { zone } }: Settings): string {
  const { hostname } = new URL(url);
  return hostname === zone || hostname.endsWith(`.${zone}`) ? zone : zoneOf(hostname);
}

/** A selector without labels matches no component. */
function componentOf({ namespace, selector }: Settings['dnsAutomation']): Component {
  return { namespace, labels: labelsOf(selector) ?? {} };
}
