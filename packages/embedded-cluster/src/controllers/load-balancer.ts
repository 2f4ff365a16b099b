import { disruptedTaint } from '../autoscaler/well-known.ts';
import type { EndpointSlice, Service } from '../kubernetes/resources.ts';
import { instanceIdOf } from '../machines/instances.ts';
import type { LoadBalancer, LoadBalancers } from '../machines/load-balancers.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { isTrue } from '../objects/conditions.ts';
import { serviceNameLabel, textHash } from '../objects/names.ts';
import { labelsMatch } from '../objects/selectors.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { excludeFromLoadBalancers } from '../scheduling/taints.ts';
import type { Controller, Site } from '../setup/site.ts';

const prefix = 'service.beta.kubernetes.io/aws-load-balancer-';
/** Restricts the targets to nodes with these labels (aws-load-balancer-controller, Service annotations). */
const targetLabels = `${prefix}target-node-labels`;

/** Whether the targets are pods, not nodes: by `nlb-target-type`, or by the older value `nlb-ip` of `type`. */
const targetsPods = ({ metadata: { annotations } }: Service): boolean =>
  annotations?.[`${prefix}nlb-target-type`] === 'ip' || annotations?.[`${prefix}type`] === 'nlb-ip';

/** Here an Application Load Balancer is that of a Service, not of an Ingress (docs/front-doors.md). */
const isApplication = ({ metadata: { annotations } }: Service): boolean =>
  annotations?.[`${prefix}type`] === 'application';

/**
 * All targets are checked every 10 s: so many rounds as last as long as the annotated interval and threshold, and at
 * least two, the fewest checks that may be set (Elastic Load Balancing, "Health checks").
 */
function unhealthyAfter(service: Service): { readonly unhealthyAfter?: number } {
  const { annotations = {} } = service.metadata;
  const interval = annotations[`${prefix}healthcheck-interval`];
  const threshold = annotations[`${prefix}healthcheck-unhealthy-threshold`];
  if (interval === undefined && threshold === undefined) return {};
  const usual = service.spec.externalTrafficPolicy === 'Local' && !targetsPods(service) ? 2 : 3;
  return { unhealthyAfter: Math.max(2, Math.ceil((Number(interval ?? 10) * Number(threshold ?? usual)) / 10)) };
}

/**
 * Service of type LoadBalancer → a load balancer, its targets and its name in the Service's status. Targets are the
 * nodes, but for those with Karpenter's disrupted taint, or the ready endpoints (aws-load-balancer-controller,
 * pkg/backend/endpoint_utils.go, endpoint_resolver.go).
 */
export function loadBalancer(loadBalancers: LoadBalancers, domain: string): Controller {
  return reconciler({
    name: 'load-balancer',
    watches: {
      Service: (service) => [keyOf(service)],
      Node: (_node, cache) => [...cache.list('Service')].filter(isWanted).map(keyOf),
      EndpointSlice: (slice, cache) => [serviceKeyOf(slice)].filter((key) => ofPods(cache.get('Service', key))),
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
      const until = isApplication(service) ? 'albDeregistration' : 'loadBalancerDeregistration';
      loadBalancers.setTargets(key, targets, site.now() + 1000 * site.delay(until));
      if (site.now() < balancer.activeAt) return (balancer.activeAt - site.now()) / 1000;
      const value = { status: { loadBalancer: { ingress: [{ hostname: balancer.hostname }] } } };
      await site.cluster.patch('Service', placeOf(key), { type: 'merge', value }, { subresource: 'status' });
      return undefined;
    },
  });
}

const isWanted = ({ spec, metadata }: Service): boolean =>
  spec.type === 'LoadBalancer' && isOurs(spec.loadBalancerClass) && metadata.deletionTimestamp === undefined;

/**
 * A class that nobody here implements stays pending (Kubernetes, "Service", "Load balancer class"); the two are AWS
 * Load Balancer Controller's and EKS Auto Mode's.
 */
const isOurs = (loadBalancerClass: string | undefined): boolean =>
  loadBalancerClass === undefined || ['service.k8s.aws/nlb', 'eks.amazonaws.com/nlb'].includes(loadBalancerClass);

function ensureBalancer(loadBalancers: LoadBalancers, site: Site, service: Service, domain: string): LoadBalancer {
  const key = keyOf(service);
  const ports = Object.fromEntries(service.spec.ports.map(({ port, name = '' }) => [port, name]));
  const { namespace = '', name, uid = key } = service.metadata;
  const parts = [namespace, name].map((part) => part.replaceAll(/[^a-z0-9]/g, '').slice(0, 8));
  return loadBalancers.ensure(key, {
    ports,
    ...(targetsPods(service) && { podPorts: podPortsOf(slicesOf(site, key)) }),
    isLocal: service.spec.externalTrafficPolicy === 'Local',
    ...(isApplication(service) && { isApplication: true as const }),
    ...unhealthyAfter(service),
    hostname: `k8s-${parts.join('-')}-${textHash(uid)}.elb.${domain}`,
    activeAt: loadBalancers.of(key)?.activeAt ?? site.now() + 1000 * site.delay('loadBalancerProvision'),
  });
}

const ofPods = (service: Service | undefined): boolean =>
  service !== undefined && isWanted(service) && targetsPods(service);

const serviceKeyOf = ({ metadata: { namespace, labels } }: EndpointSlice): string =>
  `${namespace}/${labels?.[serviceNameLabel]}`;

const slicesOf = (site: Site, key: string): readonly EndpointSlice[] =>
  [...site.cache.list('EndpointSlice')].filter((slice) => serviceKeyOf(slice) === key);

const podPortsOf = (slices: readonly EndpointSlice[]): Readonly<Record<string, number>> =>
  Object.fromEntries(slices.flatMap(({ ports }) => (ports ?? []).map(({ name = '', port = 0 }) => [name, port])));

function targetsOf(site: Site, service: Service): readonly string[] {
  return targetsPods(service) ? readyPods(site, keyOf(service)) : targetNodes(site, service);
}

const readyPods = (site: Site, key: string): readonly string[] =>
  slicesOf(site, key).flatMap(({ endpoints }) =>
    (endpoints ?? []).filter(({ conditions }) => conditions?.ready === true).flatMap(({ addresses }) => addresses),
  );

function targetNodes(site: Site, service: Service): readonly string[] {
  const wanted = service.metadata.annotations?.[targetLabels];
  const labels = Object.fromEntries((wanted ?? '').split(',').map((pair) => pair.split('=') as [string, string]));
  return [...site.cache.list('Node')]
    .filter((node) => wanted === undefined || labelsMatch(node.metadata.labels, labels))
    .filter((node) => node.metadata.labels?.[excludeFromLoadBalancers] === undefined && isTrue(node, 'Ready'))
    .filter((node) => !node.spec?.taints?.some(({ key }) => key === disruptedTaint.key))
    .map((node) => instanceIdOf(node.spec?.providerID ?? ''));
}
