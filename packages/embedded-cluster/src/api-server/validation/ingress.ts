import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { immutable } from '../strategies/validation.ts';
import {
  addressCauses,
  between,
  domainPathCauses,
  formatCauses,
  formatCausesIfSet,
  formats,
  highestPort,
  isAddress,
  isUnset,
  oneOf,
  pathSegmentCauses,
  portNameCauses,
  when,
} from './formats.ts';
import { itemsOf } from './pods/containers.ts';

/** networking.k8s.io/v1 Ingress (kubernetes, pkg/apis/networking/validation). */
export function ingressCauses(
  { spec = {}, status }: StoredObject,
  before: StoredObject | undefined,
): readonly FieldCause[] {
  const ofStatus = status === before?.status || before === undefined ? [] : statusCauses(status?.loadBalancer);
  return spec === before?.spec ? ofStatus : [...specCauses(spec), ...ofStatus];
}

function statusCauses(loadBalancer: unknown): readonly FieldCause[] {
  return itemsOf(isJson(loadBalancer) ? loadBalancer.ingress : []).flatMap(({ ip, hostname }, index) => {
    const at = `status.loadBalancer.ingress[${index}]`;
    const name = String(hostname ?? '');
    const address = fieldCauses.invalid(`${at}.hostname`, name, 'must be a DNS name, not an IP address');
    return [
      ...(isUnset(ip) ? [] : addressCauses(`${at}.ip`, ip)),
      ...formatCausesIfSet(`${at}.hostname`, hostname, formats.subdomain),
      ...when(name !== '' && isAddress(name), address),
    ];
  });
}

const longestController = 250;

/** IngressClass: its controller stays. */
export function ingressClassCauses(
  { spec = {} }: StoredObject,
  before: StoredObject | undefined,
): readonly FieldCause[] {
  const { controller = '' } = spec;
  const fixed = before === undefined ? [] : immutable('spec.controller', controller, before.spec?.controller);
  const isLong = String(controller).length > longestController;
  return [
    ...fixed,
    ...when(isLong, fieldCauses.tooLong('spec.controller', longestController)),
    ...domainPathCauses('spec.controller', String(controller)),
    ...parameterCauses(spec.parameters),
  ];
}

function parameterCauses(parameters: unknown): readonly FieldCause[] {
  if (!isJson(parameters)) return [];
  const { kind, name, scope, namespace, apiGroup } = parameters;
  const field = 'spec.parameters';
  const placed = fieldCauses.forbidden(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'");
  const unplaced = fieldCauses.required(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'");
  return [
    ...(apiGroup === undefined ? [] : formatCauses(`${field}.apiGroup`, apiGroup, formats.subdomain)),
    ...when(isUnset(kind), fieldCauses.required(`${field}.kind`)),
    ...when(isUnset(name), fieldCauses.required(`${field}.name`)),
    ...oneOf(`${field}.scope`, scope, ['Cluster', 'Namespace']),
    ...when(scope === 'Namespace' && isUnset(namespace), unplaced),
    ...when(scope === 'Cluster' && namespace !== undefined, placed),
  ];
}

function specCauses(spec: Json): readonly FieldCause[] {
  const rules = itemsOf(spec.rules);
  const { ingressClassName, defaultBackend } = spec;
  const none = fieldCauses.invalid('spec', spec.rules ?? null, 'either `defaultBackend` or `rules` must be specified');
  return [
    ...(rules.length === 0 && defaultBackend === undefined ? [none] : []),
    ...(isJson(defaultBackend) ? backendCauses(defaultBackend, 'spec.defaultBackend') : []),
    ...itemsOf(spec.tls).flatMap((one, index) => tlsCauses(one, `spec.tls[${index}]`)),
    ...rules.flatMap((rule, index) => ruleCauses(rule, `spec.rules[${index}]`)),
    ...(ingressClassName === undefined
      ? []
      : formatCauses('spec.ingressClassName', ingressClassName, formats.subdomain)),
  ];
}

function tlsCauses({ hosts, secretName }: Json, field: string): readonly FieldCause[] {
  const names = Array.isArray(hosts) ? hosts.map(String) : [];
  return [
    ...names.flatMap((host, index) => hostCauses(host, `${field}.hosts[${index}]`)),
    ...formatCausesIfSet(`${field}.secretName`, secretName, formats.subdomain),
  ];
}

function ruleCauses({ host, http }: Json, field: string): readonly FieldCause[] {
  const name = String(host ?? '');
  const isNumber = name !== '' && isAddress(name);
  const address = isNumber ? [fieldCauses.invalid(`${field}.host`, name, 'must be a DNS name, not an IP address')] : [];
  return [
    ...address,
    ...(name === '' || isNumber ? [] : hostCauses(name, `${field}.host`)),
    ...when(isJson(http) && itemsOf(http.paths).length === 0, fieldCauses.required(`${field}.http.paths`)),
    ...itemsOf(isJson(http) ? http.paths : []).flatMap((path, index) =>
      pathCauses(path, `${field}.http.paths[${index}]`),
    ),
  ];
}

const wildcard =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function hostCauses(host: string, field: string): readonly FieldCause[] {
  if (!host.includes('*')) return formatCauses(field, host, formats.subdomain);
  const fits = host.startsWith('*.') && formats.subdomain.pattern.test(host.slice(2));
  return when(!fits, fieldCauses.invalid(field, host, wildcard));
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const forbiddenParts = ['//', '/./', '/../', '%2f', '%2F'];

function pathCauses({ path, pathType, backend }: Json, field: string): readonly FieldCause[] {
  const causes = pathTypeCauses(String(path ?? ''), pathType, field);
  if (pathType === undefined) return causes;
  return [...causes, ...backendCauses(isJson(backend) ? backend : {}, `${field}.backend`)];
}

function pathTypeCauses(path: string, pathType: unknown, field: string): readonly FieldCause[] {
  if (pathType === undefined) return [fieldCauses.required(`${field}.pathType`, 'pathType must be specified')];
  if (!pathTypes.includes(String(pathType))) return [fieldCauses.unsupported(`${field}.pathType`, pathType, pathTypes)];
  const free = pathType === 'ImplementationSpecific';
  if (!path.startsWith('/'))
    return free && path === '' ? [] : [fieldCauses.invalid(`${field}.path`, path, 'must be an absolute path')];
  return free
    ? []
    : forbiddenParts
        .filter((part) => path.includes(part))
        .map((part) => fieldCauses.invalid(`${field}.path`, path, `must not contain '${part}'`));
}

function backendCauses({ service, resource }: Json, field: string): readonly FieldCause[] {
  if (isJson(service) && isJson(resource))
    return [fieldCauses.invalid(field, '', 'cannot set both resource and service backends')];
  if (isJson(resource)) return resourceCauses(resource, `${field}.resource`);
  if (!isJson(service)) return [fieldCauses.invalid(field, '', 'resource or service backend is required')];
  const { name, port } = service;
  const { name: portName = '', number = 0 } = isJson(port) ? port : {};
  return [
    ...(isUnset(name)
      ? [fieldCauses.required(`${field}.service.name`)]
      : formatCauses(`${field}.service.name`, name, formats.serviceName)),
    ...servicePortCauses(portName, number, field),
  ];
}

function resourceCauses({ apiGroup, kind, name }: Json, field: string): readonly FieldCause[] {
  const named = (key: string, value: unknown) =>
    isUnset(value) ? [fieldCauses.required(`${field}.${key}`)] : pathSegmentCauses(`${field}.${key}`, String(value));
  return [
    ...(apiGroup === undefined ? [] : formatCauses(`${field}.apiGroup`, apiGroup, formats.subdomain)),
    ...named('kind', kind),
    ...named('name', name),
  ];
}

function servicePortCauses(name: unknown, number: unknown, field: string): readonly FieldCause[] {
  if (isUnset(name) && isUnset(number)) return [fieldCauses.required(field, 'port name or number is required')];
  if (!(isUnset(name) || isUnset(number)))
    return [fieldCauses.invalid(field, '', 'cannot set both port name & port number')];
  return isUnset(name)
    ? between(`${field}.service.port.number`, number, 1, highestPort)
    : portNameCauses(`${field}.service.port.name`, String(name));
}
