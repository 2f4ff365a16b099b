import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { reachableCauses } from './addresses.ts';
import {
  formatCauses,
  formatCausesIfSet,
  formats,
  isAddress,
  oneOf,
  protocols,
  qualifiedNameCauses,
} from './formats.ts';
import { itemsOf } from './pods/containers.ts';

const mostAddresses = 100;
const mostEndpoints = 1000;

/** discovery.k8s.io/v1 EndpointSlice (kubernetes, pkg/apis/discovery/validation). */
export function endpointSliceCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const { addressType, endpoints, ports } = object as unknown as Json;
  const old = before as unknown as Json | undefined;
  const isOther = old !== undefined && old.addressType !== addressType;
  if (isOther) return [fieldCauses.invalid('addressType', addressType ?? '', 'field is immutable')];
  const all = itemsOf(endpoints);
  return [
    ...(addressType === undefined || addressType === ''
      ? [fieldCauses.required('addressType')]
      : oneOf('addressType', addressType, ['FQDN', 'IPv4', 'IPv6'])),
    ...portsCauses(itemsOf(ports)),
    ...(all.length > mostEndpoints ? [fieldCauses.tooMany('endpoints', all.length, mostEndpoints)] : []),
    ...all.flatMap((endpoint, index) => endpointCauses(endpoint, `endpoints[${index}]`, String(addressType))),
  ];
}

function portsCauses(ports: readonly Json[]): readonly FieldCause[] {
  const names = ports.map(({ name }) => String(name ?? ''));
  return ports.flatMap(({ protocol, appProtocol }, index) => {
    const [field, name] = [`ports[${index}]`, names[index] ?? ''];
    return [
      ...formatCausesIfSet(`${field}.name`, name, formats.label),
      ...(names.indexOf(name) < index ? [fieldCauses.duplicate(`${field}.name`, name)] : []),
      ...oneOf(`${field}.protocol`, protocol, protocols),
      ...(appProtocol === undefined ? [] : qualifiedNameCauses(`${field}.appProtocol`, String(appProtocol))),
    ];
  });
}

function endpointCauses(
  { addresses, hostname, nodeName, hints }: Json,
  field: string,
  type: string,
): readonly FieldCause[] {
  const list = Array.isArray(addresses) ? addresses : [];
  const at = `${field}.addresses`;
  return [
    ...(list.length === 0 ? [fieldCauses.required(at, 'must contain at least 1 address')] : []),
    ...(list.length > mostAddresses ? [fieldCauses.tooMany(at, list.length, mostAddresses)] : []),
    ...list.flatMap((one, index) => addressCausesOf(`${at}[${index}]`, one, type)),
    ...(hostname === undefined ? [] : formatCauses(`${field}.hostname`, hostname, formats.label)),
    ...(nodeName === undefined ? [] : formatCauses(`${field}.nodeName`, nodeName, formats.subdomain)),
    ...(isJson(hints) ? hintCauses(hints, `${field}.hints`) : []),
  ];
}

/** For whose traffic an endpoint is. */
function hintCauses({ forZones, forNodes }: Json, field: string): readonly FieldCause[] {
  return [
    ...itemsOf(forZones).flatMap(({ name = '' }, index) =>
      formatCauses(`${field}.forZones[${index}].name`, name, formats.labelValue),
    ),
    ...itemsOf(forNodes).flatMap(({ name = '' }, index) =>
      formatCauses(`${field}.forNodes[${index}].name`, name, formats.subdomain),
    ),
  ];
}

function addressCausesOf(field: string, address: unknown, type: string): readonly FieldCause[] {
  if (type === 'FQDN') return formatCauses(field, address, formats.subdomain);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const isOther = isAddress(String(address)) && String(address).includes(':') !== (type === 'IPv6');
  const other = fieldCauses.invalid(field.replace(/\[\d+\]$/, ''), address, `must be an ${type} address`);
  return isOther ? [other] : reachableCauses(field, address);
}
