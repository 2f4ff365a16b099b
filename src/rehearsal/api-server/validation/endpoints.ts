import type { Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { reachableCauses } from './addresses.ts';
import { between, formatCausesIfSet, formats, highestPort, oneOf, protocols, requiredCauses, when } from './formats.ts';
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
  addresses.flatMap(({ ip }, index) => reachableCauses(`${field}[${index}].ip`, ip));

function portCauses({ name, port = 0, protocol }: Json, named: boolean, field: string): readonly FieldCause[] {
  return [
    ...(named ? requiredCauses(`${field}.name`, name) : []),
    ...formatCausesIfSet(`${field}.name`, name, formats.label),
    ...between(`${field}.port`, port, 1, highestPort),
    ...oneOf(`${field}.protocol`, protocol, protocols),
  ];
}
