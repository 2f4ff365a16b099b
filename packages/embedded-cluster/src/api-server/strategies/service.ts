import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { Api } from '../api.ts';
import { type FieldCause, fieldCauses, refusals } from '../refusals.ts';
import { itemsOf } from '../validation/pods/containers.ts';
import { isForeign, serviceCauses } from '../validation/service.ts';
import { at, defaultsOf, mapped, type Strategy, withDefaults, withMember } from './strategy.ts';
import { serviceWarnings } from './warnings.ts';

/** core/v1 Service: defaults, and the allocated cluster IP and node ports (kubernetes, pkg/registry/core/service). */
export const service: Strategy = {
  warnings: serviceWarnings,
  firstStatus: () => ({ loadBalancer: {} }),
  complete: (object, before) => {
    if (object.spec === undefined || object.spec === before?.spec) return object;
    const spec = withExternalDefaults(completed(object.spec));
    return spec === object.spec ? object : { ...object, spec };
  },
  admit: (object, before, api, at) => {
    if (object.spec === undefined || object.spec === before?.spec) return object;
    // Nothing is allocated in a dry run.
    const refused = at.dryRun ? [] : [...portRangeCauses(object.spec, before?.spec), ...takenPortCauses(object, api)];
    if (refused.length > 0) throw refusals.invalid(at, refused);
    const wanted = withoutTypeDependent(object.spec, before?.spec);
    const spec = allocated(withAllocatedOf(withFamilies(wanted), before?.spec), api);
    return spec === object.spec ? object : { ...object, spec };
  },
  validate: ({ spec = {}, status = {} }, before) => {
    const causes = [
      ...addressCauses(spec, before?.spec),
      ...serviceCauses(spec),
      ...loadBalancerCauses(spec, status, before?.status),
      ...classCauses(spec, before?.spec),
    ];
    return before === undefined && causes.length === 0 ? rangeCauses(spec) : causes;
  },
};

/** Only a load balancer has addresses of one. */
function loadBalancerCauses({ type }: Json, { loadBalancer }: Json, before: Json | undefined): readonly FieldCause[] {
  const ingress = isJson(loadBalancer) ? loadBalancer.ingress : undefined;
  if (type === 'LoadBalancer' || !Array.isArray(ingress) || sameJson(loadBalancer, before?.loadBalancer)) return [];
  return [fieldCauses.forbidden('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'")];
}

/** The load balancer class is set once, and only for a load balancer. */
function classCauses({ type, loadBalancerClass }: Json, before: Json | undefined): readonly FieldCause[] {
  const field = 'spec.loadBalancerClass';
  if (type !== 'LoadBalancer')
    return loadBalancerClass === undefined
      ? []
      : [fieldCauses.forbidden(field, "may only be used when `type` is 'LoadBalancer'")];
  const isOther = before?.type === 'LoadBalancer' && before.loadBalancerClass !== loadBalancerClass;
  return isOther ? [fieldCauses.invalid(field, loadBalancerClass ?? null, 'may not change once set')] : [];
}

const [lowestNodePort, highestNodePort] = [30_000, 32_767];

/** The default of `--service-node-port-range`. Ports that the Service has already are not looked at. */
function portRangeCauses({ ports }: Json, before: Json | undefined): readonly FieldCause[] {
  const portsOf = (list: unknown) => ((list ?? []) as readonly Json[]).map(({ nodePort }) => nodePort);
  const had = portsOf(before?.ports);
  const why = `provided port is not in the valid range. The range of valid ports is ${lowestNodePort}-${highestNodePort}`;
  return portsOf(ports).flatMap((port, index) => {
    if (typeof port !== 'number' || port === 0 || had.includes(port)) return [];
    const isIn = port >= lowestNodePort && port <= highestNodePort;
    return isIn ? [] : [fieldCauses.invalid(`spec.ports[${index}].nodePort`, port, why)];
  });
}

/** A node port belongs to one Service. */
function takenPortCauses({ spec, metadata }: StoredObject, api: Api): readonly FieldCause[] {
  const others = api.objects.list('Service').filter(({ metadata: one }) => one.uid !== metadata.uid);
  const taken = others.flatMap((other) => itemsOf(other.spec?.ports).map(nodePortOf));
  if (spec === undefined || !hasNodePorts(spec)) return [];
  return itemsOf(spec.ports).flatMap((port, index) => {
    const why = 'provided port is already allocated';
    const isTaken = port.nodePort !== undefined && taken.includes(nodePortOf(port));
    return isTaken ? [fieldCauses.invalid(`spec.ports[${index}].nodePort`, port.nodePort, why)] : [];
  });
}

/** The port with its protocol; undefined if there is none. */
const nodePortOf = ({ nodePort, protocol = 'TCP' }: Json): string | undefined =>
  nodePort === undefined ? undefined : `${nodePort}/${protocol}`;

const serviceRange = '10.100.0.0/16';

function rangeCauses({ clusterIP, clusterIPs }: Json): readonly FieldCause[] {
  const address = String(clusterIP ?? 'None');
  if (address === 'None' || address === '' || address.startsWith('10.100.')) return [];
  const why = `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${serviceRange}`;
  const shown = clusterIPs ?? [clusterIP];
  return [fieldCauses.invalid('spec.clusterIPs', shown, `failed to allocate IP ${address}: ${why}`)];
}

/** A client keeps its pod for three hours (kubernetes, types.go, DefaultClientIPServiceAffinitySeconds). */
const stickySeconds = 10_800;

const hasNodePorts = ({ type }: Json) => type === 'NodePort' || type === 'LoadBalancer';
const hasAddress = ({ type }: Json) => type !== 'ExternalName';

function completed(spec: Json): Json {
  const inside = hasAddress(spec) ? { internalTrafficPolicy: 'Cluster' } : {};
  const typed = withDefaults(spec, { type: 'ClusterIP', sessionAffinity: 'None', ...inside });
  const whole = typed.sessionAffinity === 'ClientIP' ? sticky(typed) : unstuck(typed);
  return withMember(whole, 'ports', (ports) =>
    // A JSON Patch may put null among them.
    mapped(ports as readonly (Json | null)[], (port) =>
      withDefaults(port ?? {}, { protocol: 'TCP', targetPort: port?.port }),
    ),
  );
}

function sticky(spec: Json): Json {
  const seconds = { timeoutSeconds: stickySeconds };
  return at(
    withDefaults(spec, { sessionAffinityConfig: { clientIP: seconds } }),
    'sessionAffinityConfig.clientIP',
    defaultsOf(seconds),
  );
}

/** Fields that it does not need are dropped (kubernetes, pkg/apis/core/v1/defaults.go, SetDefaults_Service). */
function unstuck(spec: Json): Json {
  const { sessionAffinityConfig, ...rest } = spec;
  return sessionAffinityConfig === undefined || spec.sessionAffinity !== 'None' ? spec : rest;
}

function withFamilies(spec: Json): Json {
  if (!hasAddress(spec)) return spec;
  return withDefaults(
    spec,
    isForeign(spec)
      ? { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' }
      : { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
  );
}

function withExternalDefaults(spec: Json): Json {
  const isReached = Array.isArray(spec.externalIPs) && spec.externalIPs.length > 0;
  if (!hasNodePorts(spec)) return isReached ? withDefaults(spec, { externalTrafficPolicy: 'Cluster' }) : spec;
  const external = withDefaults(spec, { externalTrafficPolicy: 'Cluster' });
  return spec.type === 'LoadBalancer' ? withDefaults(external, { allocateLoadBalancerNodePorts: true }) : external;
}

/** Fields that only the old type needs are dropped if the update left them unchanged (dropTypeDependentFields). */
function withoutTypeDependent(spec: Json, before: Json | undefined): Json {
  if (before === undefined) return spec;
  const named = hasAddress(before) && !hasAddress(spec) ? withoutAddress(spec, before) : spec;
  return hasNodePorts(before) && !hasNodePorts(spec) ? withoutExternal(named, before) : named;
}

const addressFields = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'];

function withoutAddress(spec: Json, before: Json): Json {
  const left = Object.entries(spec).filter(([key, value]) => !addressFields.includes(key) || value !== before[key]);
  return Object.fromEntries(left);
}

function withoutExternal(spec: Json, before: Json): Json {
  const left = Object.entries(spec).filter(([key, value]) => !externalFields.includes(key) || value !== before[key]);
  const nodePorts = (one: Json) =>
    JSON.stringify(((one.ports ?? []) as readonly Json[]).map(({ nodePort }) => nodePort));
  if (nodePorts(spec) !== nodePorts(before)) return Object.fromEntries(left);
  return withMember(Object.fromEntries(left), 'ports', (ports) =>
    mapped(ports as readonly Json[], ({ nodePort: _, ...port }) => port),
  );
}

const externalFields = [
  'externalTrafficPolicy',
  'healthCheckNodePort',
  'allocateLoadBalancerNodePorts',
  'loadBalancerClass',
];

/** An update without the cluster IP and node ports keeps the allocated ones. */
function withAllocatedOf(spec: Json, before: Json | undefined): Json {
  if (before === undefined) return spec;
  const { clusterIP, clusterIPs } = before;
  const addressed = hasAddress(spec) && clusterIP !== undefined ? withDefaults(spec, { clusterIP, clusterIPs }) : spec;
  if (!hasNodePorts(spec)) return addressed;
  const old = (before.ports ?? []) as readonly Json[];
  return withMember(addressed, 'ports', (ports) =>
    mapped(ports as readonly Json[], (port) => {
      const same = old.find((one) => one.port === port.port && one.protocol === port.protocol);
      return same?.nodePort === undefined ? port : withDefaults(port, { nodePort: same.nodePort });
    }),
  );
}

function allocated(spec: Json, api: Api): Json {
  const services = api.objects.list('Service').map((object) => object.spec ?? {});
  // Addresses without the first of them alone are refused later.
  if (spec.clusterIP === undefined && Array.isArray(spec.clusterIPs)) return spec;
  const address = hasAddress(spec) && spec.clusterIP === undefined ? freeAddress(services) : spec.clusterIP;
  const addressed = address === undefined ? spec : withDefaults(spec, { clusterIP: address, clusterIPs: [address] });
  if (!hasNodePorts(spec)) return addressed;
  const used = new Set(
    services.flatMap(({ ports }) => ((ports ?? []) as readonly Json[]).map((port) => port.nodePort)),
  );
  // Ports of one number and two protocols share a node port.
  const ofNumber = new Map<unknown, unknown>();
  // A load balancer that reaches the pods themselves needs no ports of the nodes.
  const isDirect = spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts === false;
  const whole = withMember(addressed, 'ports', (ports) =>
    mapped(ports as readonly Json[], (port) => {
      if (isDirect) return port;
      const nodePort = port.nodePort ?? ofNumber.get(port.port) ?? freePort(used);
      ofNumber.set(port.port, nodePort);
      return port.nodePort === undefined ? { ...port, nodePort } : port;
    }),
  );
  return hasHealthCheck(whole) && whole.healthCheckNodePort === undefined
    ? { ...whole, healthCheckNodePort: freePort(used) }
    : whole;
}

/** A load balancer asks each node on this port whether it has an endpoint of its own. */
const hasHealthCheck = ({ type, externalTrafficPolicy }: Json) =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** EKS takes service addresses from 10.100.0.0/16; the first ten are reserved for the cluster. */
function freeAddress(services: readonly Json[]): string {
  const used = new Set(services.map(({ clusterIP }) => clusterIP));
  for (let number = 11; number < 0xffff; number += 1) {
    const address = `10.100.${number >> 8}.${number & 0xff}`;
    if (!used.has(address)) return address;
  }
  return 'None';
}

/** The default of `--service-node-port-range` is 30000 to 32767. */
function freePort(used: Set<unknown>): number {
  let port = 30_000;
  while (used.has(port) && port < 32_767) port += 1;
  used.add(port);
  return port;
}

function addressCauses(spec: Json, before: Json | undefined): readonly FieldCause[] {
  if (!isJson(before) || spec.type === 'ExternalName' || before.type === 'ExternalName') return [];
  return spec.clusterIP === before.clusterIP
    ? []
    : [fieldCauses.invalid('spec.clusterIPs[0]', [spec.clusterIP], 'may not change once set')];
}
