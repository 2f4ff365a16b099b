import { isJson, type Json } from '../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { rangeCauses, reachableCauses } from './addresses.ts';
import {
  addressCauses,
  formatCauses,
  formatCausesIfSet,
  formats,
  highestPort,
  isUnset,
  labelCauses,
  oneOf,
  portCauses,
  protocols,
  qualifiedNameCauses,
  when,
} from './formats.ts';
import { itemsOf } from './pods/containers.ts';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

/** core/v1 Service (kubernetes, pkg/apis/core/validation). */
export function serviceCauses(spec: Json): readonly FieldCause[] {
  const { type, ports, sessionAffinity, externalName, clusterIP } = spec;
  const list = itemsOf(ports);
  if (type === 'ExternalName')
    return isUnset(externalName)
      ? [fieldCauses.required('spec.externalName')]
      : formatCauses('spec.externalName', String(externalName).replace(/\.$/, ''), formats.subdomain);
  return [
    ...when(list.length === 0 && clusterIP !== 'None', fieldCauses.required('spec.ports')),
    ...list.flatMap((port, index) => servicePortCauses(port, `spec.ports[${index}]`, list.length > 1)),
    ...repeatedNameCauses(list),
    ...affinityCauses(spec),
    ...labelCauses('spec.selector', spec.selector),
    ...oneOf('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None']),
    ...oneOf('spec.type', type, types),
    ...nodePortCauses(type, list),
    ...repeatedPortCauses(list),
    ...headlessCauses(spec),
    ...listOf(spec.externalIPs).flatMap((one, index) => reachableCauses(`spec.externalIPs[${index}]`, one)),
    ...familyCauses(spec),
    ...trafficCauses(spec),
    ...sourceRangeCauses(spec),
    ...externalPolicyCauses(spec),
    ...oneOf('spec.internalTrafficPolicy', spec.internalTrafficPolicy, ['Cluster', 'Local']),
  ];
}

const listOf = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);

function headlessCauses({ type, clusterIP, clusterIPs }: Json): readonly FieldCause[] {
  const field = 'spec.clusterIPs[0]';
  if (isUnset(clusterIP) && Array.isArray(clusterIPs)) return unnamedAddressesCauses(clusterIPs);
  if (clusterIP === 'None' && (type === 'NodePort' || type === 'LoadBalancer'))
    return [fieldCauses.invalid(field, 'None', `may not be set to 'None' for ${type} services`)];
  return isUnset(clusterIP) || clusterIP === 'None' ? [] : addressCauses(field, clusterIP);
}

/** The list is only for the address that is named alone too. */
function unnamedAddressesCauses(addresses: readonly unknown[]): readonly FieldCause[] {
  const why = 'must be empty when `clusterIP` is not specified';
  return [
    fieldCauses.invalid('spec.clusterIPs', addresses, why),
    ...addresses.flatMap((one, index) => addressCauses(`spec.clusterIPs[${index}]`, one)),
  ];
}

/** Headless and without a selector: somebody else writes its endpoints, of whatever family. */
export const isForeign = ({ clusterIP, selector, type }: Json): boolean =>
  type === 'ClusterIP' && clusterIP === 'None' && (!isJson(selector) || Object.keys(selector).length === 0);

/** The cluster has one family of addresses. */
function familyCauses(spec: Json): readonly FieldCause[] {
  if (isForeign(spec)) return [];
  const { ipFamilies, ipFamilyPolicy } = spec;
  const families = listOf(ipFamilies);
  const both = 'this cluster is not configured for dual-stack services';
  const isBoth = ipFamilyPolicy === 'RequireDualStack';
  const unknown = families.some((family) => !family.startsWith('IPv'));
  if (unknown) return unknownFamilyCauses(families);
  return [
    ...oneOf('spec.ipFamilyPolicy', ipFamilyPolicy, ['PreferDualStack', 'RequireDualStack', 'SingleStack']),
    ...when(isBoth, fieldCauses.invalid('spec.ipFamilyPolicy', ipFamilyPolicy, both)),
    ...families.flatMap((family, index) =>
      families.indexOf(family) < index
        ? [fieldCauses.duplicate(`spec.ipFamilies[${index}]`, family)]
        : when(
            family === 'IPv6',
            fieldCauses.invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'),
          ),
    ),
  ];
}

function unknownFamilyCauses(families: readonly string[]): readonly FieldCause[] {
  return families.flatMap((family, index) => {
    const field = `spec.ipFamilies[${index}]`;
    return [
      ...oneOf(field, family, ['IPv4', 'IPv6']),
      ...when(families.indexOf(family) < index, fieldCauses.duplicate(field, family)),
    ];
  });
}

const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const healthOnly = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";

/** What only some types have, and how traffic is spread. */
function trafficCauses(spec: Json): readonly FieldCause[] {
  const { type, healthCheckNodePort: port, allocateLoadBalancerNodePorts: allocates } = spec;
  const isAsked = type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
  const ofLoadBalancers = "may only be used when `type` is 'LoadBalancer'";
  return [
    ...oneOf('spec.trafficDistribution', spec.trafficDistribution, distributions),
    ...when(
      allocates !== undefined && type !== 'LoadBalancer',
      fieldCauses.forbidden('spec.allocateLoadBalancerNodePorts', ofLoadBalancers),
    ),
    ...when(!(isUnset(port) || isAsked), fieldCauses.invalid('spec.healthCheckNodePort', port, healthOnly)),
  ];
}

function sourceRangeCauses({ type, loadBalancerSourceRanges: ranges }: Json): readonly FieldCause[] {
  // The API server spells this field so.
  const field = 'spec.LoadBalancerSourceRanges';
  const why = "may only be used when `type` is 'LoadBalancer'";
  const list = listOf(ranges);
  return [
    ...when(list.length > 0 && type !== 'LoadBalancer', fieldCauses.forbidden(field, why)),
    ...list.flatMap((range, index) => rangeCauses(`${field}[${index}]`, range.trim())),
  ];
}

function servicePortCauses(
  { name, port, protocol, targetPort, appProtocol }: Json,
  field: string,
  named: boolean,
): readonly FieldCause[] {
  return [
    ...(named && (name === undefined || name === '') ? [fieldCauses.required(`${field}.name`)] : []),
    ...formatCausesIfSet(`${field}.name`, name, formats.label),
    ...(Number(port) > 0 && Number(port) <= highestPort
      ? []
      : [fieldCauses.invalid(`${field}.port`, port ?? 0, `must be between 1 and ${highestPort}, inclusive`)]),
    ...oneOf(`${field}.protocol`, protocol, protocols),
    ...portCauses(`${field}.targetPort`, targetPort ?? port),
    ...(appProtocol === undefined ? [] : qualifiedNameCauses(`${field}.appProtocol`, String(appProtocol))),
  ];
}

function nodePortCauses(type: unknown, ports: readonly Json[]): readonly FieldCause[] {
  if (type !== 'ClusterIP') return [];
  return ports.flatMap(({ nodePort }, index) =>
    nodePort === undefined || nodePort === 0
      ? []
      : [fieldCauses.forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")],
  );
}

function repeatedNameCauses(ports: readonly Json[]): readonly FieldCause[] {
  const names = ports.map(({ name }) => name);
  return names.flatMap((name, index) =>
    when(!isUnset(name) && names.indexOf(name) < index, fieldCauses.duplicate(`spec.ports[${index}].name`, name)),
  );
}

const daySeconds = 86_400;

/** How long a client keeps its pod. */
function affinityCauses({ sessionAffinity, sessionAffinityConfig: config }: Json): readonly FieldCause[] {
  const { clientIP }: Json = isJson(config) ? config : {};
  const { timeoutSeconds }: Json = isJson(clientIP) ? clientIP : {};
  const isWrong = typeof timeoutSeconds === 'number' && (timeoutSeconds <= 0 || timeoutSeconds > daySeconds);
  const field = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds';
  const why = `must be greater than 0 and less than ${daySeconds}`;
  return when(sessionAffinity === 'ClientIP' && isWrong, fieldCauses.invalid(field, timeoutSeconds, why));
}

function repeatedPortCauses(ports: readonly Json[]): readonly FieldCause[] {
  const pairs = ports.map(({ port, protocol }) => `${port}/${protocol}`);
  return ports.flatMap(({ port, protocol, appProtocol = null }, index) => {
    if (pairs.indexOf(`${port}/${protocol}`) === index) return [];
    const shown = { Name: '', Protocol: protocol, AppProtocol: appProtocol, Port: port, TargetPort: 0, NodePort: 0 };
    return [fieldCauses.duplicate(`spec.ports[${index}]`, shown)];
  });
}

function externalPolicyCauses({ type, externalTrafficPolicy, externalIPs }: Json): readonly FieldCause[] {
  if (externalTrafficPolicy === undefined || type === 'NodePort' || type === 'LoadBalancer') return [];
  if (listOf(externalIPs).length > 0) return [];
  const why = 'may only be set for externally-accessible services';
  return [fieldCauses.invalid('spec.externalTrafficPolicy', externalTrafficPolicy, why)];
}
