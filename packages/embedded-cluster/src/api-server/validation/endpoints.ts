import type { Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { reachableCauses } from './addresses.ts';
import {
  between,
  formatCauses,
  formatCausesIfSet,
  formats,
  highestPort,
  isAddress,
  oneOf,
  protocols,
  qualifiedNameCauses,
  requiredCauses,
  when,
} from './formats.ts';
import { itemsOf } from './pods/containers.ts';

/** core/v1 Endpoints (kubernetes, pkg/apis/core/validation, ValidateEndpoints). */
export function endpointsCauses(object: StoredObject): readonly FieldCause[] {
  const { subsets } = object as unknown as Json;
  return itemsOf(subsets).flatMap(({ addresses, notReadyAddresses, ports }, index) => {
    const at = `subsets[${index}]`;
    const [ready, unready, list] = [itemsOf(addresses), itemsOf(notReadyAddresses), itemsOf(ports)];
    const none = fieldCauses.required(at, 'must specify `addresses` or `notReadyAddresses`');
    return [
      ...when(ready.length + unready.length === 0, none),
      ...addressesCauses(ready, `${at}.addresses`),
      ...addressesCauses(unready, `${at}.notReadyAddresses`),
      ...list.flatMap((port, place) => portCauses(port, list.length > 1, `${at}.ports[${place}]`)),
    ];
  });
}

const addressesCauses = (addresses: readonly Json[], field: string): readonly FieldCause[] =>
  addresses.flatMap(({ ip, hostname, nodeName }, index) => {
    const at = `${field}[${index}]`;
    const address = String(ip ?? '');
    return [
      ...reachableCauses(`${at}.ip`, address),
      ...formatCausesIfSet(`${at}.hostname`, hostname, formats.label),
      ...(nodeName === undefined ? [] : formatCauses(`${at}.nodeName`, nodeName, formats.subdomain)),
      // The second check repeats the error of an invalid address.
      ...when(!isAddress(address), fieldCauses.invalid(`${at}.ip`, address, 'must be a valid IP address')),
    ];
  });

function portCauses(
  { name, port = 0, protocol, appProtocol }: Json,
  named: boolean,
  field: string,
): readonly FieldCause[] {
  return [
    ...(named ? requiredCauses(`${field}.name`, name) : []),
    ...formatCausesIfSet(`${field}.name`, name, formats.label),
    ...between(`${field}.port`, port, 1, highestPort),
    ...oneOf(`${field}.protocol`, protocol, protocols),
    ...(appProtocol === undefined ? [] : qualifiedNameCauses(`${field}.appProtocol`, String(appProtocol))),
  ];
}
