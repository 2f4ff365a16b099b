import { isJson, type Json } from '../../../objects/json.ts';
import type { StoredObject } from '../../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { notNegative } from '../../strategies/validation.ts';
import { formatCauses, formats, isUnset, oneOf, qualifiedNameCauses, when } from '../formats.ts';
import { itemsOf } from '../pods/containers.ts';
import { belowZeroCauses } from '../pods/resources.ts';
import { selectorCauses } from '../selectors.ts';
import { driverNameCauses } from '../volumes/volume-sources.ts';

const longestNodeId = 256;

/** storage.k8s.io/v1 CSINode (kubernetes, pkg/apis/storage/validation). */
export function csiNodeCauses({ spec = {} }: StoredObject): readonly FieldCause[] {
  const drivers = itemsOf(spec.drivers);
  const names = drivers.map(({ name }) => String(name ?? ''));
  return drivers.flatMap(({ nodeID, topologyKeys, allocatable }, index) => {
    const [field, name] = [`spec.drivers[${index}]`, names[index] ?? ''];
    const long = `must be ${longestNodeId} characters or less`;
    return [
      ...driverNameCauses(name, `${field}.name`),
      ...when(isUnset(nodeID), fieldCauses.required(`${field}.nodeID`)),
      ...when(String(nodeID ?? '').length > longestNodeId, fieldCauses.invalid(`${field}.nodeID`, nodeID, long)),
      ...notNegative(`${field}.allocatable.count`, isJson(allocatable) ? allocatable.count : undefined),
      ...topologyKeyCauses(Array.isArray(topologyKeys) ? topologyKeys : [], field),
      ...when(names.indexOf(name) < index, fieldCauses.duplicate(`${field}.name`, name)),
    ];
  });
}

/** The refusals name the driver. */
function topologyKeyCauses(keys: readonly unknown[], field: string): readonly FieldCause[] {
  return keys.flatMap((key, index) => [
    ...when(keys.indexOf(key) < index, fieldCauses.duplicate(field, key)),
    ...when(key === '', fieldCauses.required(field)),
    ...qualifiedNameCauses(field, String(key)),
  ]);
}

/** storage.k8s.io/v1 CSIDriver. */
export function csiDriverCauses({ spec = {} }: StoredObject): readonly FieldCause[] {
  const modes = Array.isArray(spec.volumeLifecycleModes) ? spec.volumeLifecycleModes : [];
  const short = 'may not specify a duration less than 10 minutes';
  return [
    ...modes.flatMap((mode) => oneOf('spec.volumeLifecycleModes', mode, ['Persistent', 'Ephemeral'])),
    ...itemsOf(spec.tokenRequests).flatMap(({ expirationSeconds: seconds }, index) =>
      when(
        typeof seconds === 'number' && seconds < 600,
        fieldCauses.invalid(`spec.tokenRequests[${index}].expirationSeconds`, seconds, short),
      ),
    ),
    ...oneOf('spec.fsGroupPolicy', spec.fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType']),
  ];
}

/** storage.k8s.io/v1 CSIStorageCapacity. */
export function storageCapacityCauses(object: StoredObject): readonly FieldCause[] {
  const { nodeTopology, storageClassName, capacity, maximumVolumeSize } = object as unknown as Json;
  return [
    ...formatCauses('storageClassName', storageClassName ?? '', formats.subdomain),
    ...(capacity === undefined ? [] : belowZeroCauses(capacity, 'capacity')),
    ...(maximumVolumeSize === undefined ? [] : belowZeroCauses(maximumVolumeSize, 'maximumVolumeSize')),
    ...selectorCauses('nodeTopology', nodeTopology),
  ];
}
