import type { Service } from '../../cluster/resources.ts';
import { disruptedTaint } from '../autoscaler/well-known.ts';
import { instanceIdOf } from '../machines/instances.ts';
import type { LoadBalancer, LoadBalancers } from '../machines/load-balancers.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { isTrue } from '../objects/conditions.ts';
import { textHash } from '../objects/names.ts';
import { labelsMatch } from '../objects/selectors.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { excludeFromLoadBalancers } from '../scheduling/taints.ts';
import type { Controller, Site } from '../setup/site.ts';

/** Restricts the targets to nodes with these labels (aws-load-balancer-controller, Service annotations). */
const targetLabels = 'service.beta.kubernetes.io/aws-load-balancer-target-node-labels';

/**
 * Service of type LoadBalancer → a load balancer, its instance targets and its name in the Service's status. A node with
 * Karpenter's disrupted taint is no target (aws-load-balancer-controller, pkg/backend/endpoint_utils.go).
 */
export function loadBalancer(loadBalancers: LoadBalancers, domain: string): Controller {
  return reconciler({
    name: 'load-balancer',
    watches: {
      Service: (service) => [keyOf(service)],
      Node: (_node, cache) => [...cache.list('Service')].filter(isWanted).map(keyOf),
    },
    reaction: 'cloudNodeReaction',
    reconcile: async (site, key) => {
      const service = site.cache.get('Service', key);
      if (service === undefined || !isWanted(service)) {
        loadBalancers.remove(key);
        return undefined;
      }
      const balancer = ensureBalancer(loadBalancers, site, service, domain);
      const targets = targetsOf(site, service);
      loadBalancers.setTargets(key, targets, site.now() + 1000 * site.delay('loadBalancerDeregistration'));
      if (site.now() < balancer.activeAt) return (balancer.activeAt - site.now()) / 1000;
      const value = { status: { loadBalancer: { ingress: [{ hostname: balancer.hostname }] } } };
      await site.cluster.patch('Service', placeOf(key), { type: 'merge', value }, { subresource: 'status' });
      return undefined;
    },
  });
}

const isWanted = ({ spec, metadata }: Service): boolean =>
  spec.type === 'LoadBalancer' && metadata.deletionTimestamp === undefined;

function ensureBalancer(loadBalancers: LoadBalancers, site: Site, service: Service, domain: string): LoadBalancer {
  const key = keyOf(service);
  const ports = Object.fromEntries(service.spec.ports.map(({ port, name = '' }) => [port, name]));
  const { namespace = '', name, uid = key } = service.metadata;
  const parts = [namespace, name].map((part) => part.replaceAll(/[^a-z0-9]/g, '').slice(0, 8));
  return loadBalancers.ensure(key, {
    ports,
    isLocal: service.spec.externalTrafficPolicy === 'Local',
    hostname: `k8s-${parts.join('-')}-${textHash(uid)}.elb.${domain}`,
    activeAt: loadBalancers.of(key)?.activeAt ?? site.now() + 1000 * site.delay('loadBalancerProvision'),
  });
}

function targetsOf(site: Site, service: Service): readonly string[] {
  const wanted = service.metadata.annotations?.[targetLabels];
  const labels = Object.fromEntries((wanted ?? '').split(',').map((pair) => pair.split('=') as [string, string]));
  return [...site.cache.list('Node')]
    .filter((node) => wanted === undefined || labelsMatch(node.metadata.labels, labels))
    .filter((node) => node.metadata.labels?.[excludeFromLoadBalancers] === undefined && isTrue(node, 'Ready'))
    .filter((node) => !node.spec?.taints?.some(({ key }) => key === disruptedTaint.key))
    .map((node) => instanceIdOf(node.spec?.providerID ?? ''));
}
