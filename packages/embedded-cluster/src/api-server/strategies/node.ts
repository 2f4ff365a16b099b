import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { nodeCauses } from '../validation/nodes.ts';
import { itemsOf } from '../validation/pods/containers.ts';
import type { Strategy } from './strategy.ts';

/** core/v1 Node. */
export const node: Strategy = {
  complete: (object) => withAllocatable(withAddressRanges(object)),
  admit: (object, before) => (before === undefined ? withNotReadyTaint(object) : object),
  validate: nodeCauses,
};

/** `podCIDR` is the first of `podCIDRs` (kubernetes, pkg/apis/core/v1/conversion.go). */
function withAddressRanges(object: StoredObject): StoredObject {
  const { podCIDR, podCIDRs } = isJson(object.spec) ? object.spec : {};
  if (typeof podCIDR !== 'string' || podCIDR === '' || podCIDRs !== undefined) return object;
  return { ...object, spec: { ...object.spec, podCIDRs: [podCIDR] } };
}

/** What a node has is what pods may have of it, if it says nothing else (kubernetes, pkg/apis/core/v1/defaults.go). */
function withAllocatable(object: StoredObject): StoredObject {
  const { status } = object;
  if (status?.capacity === undefined || status.allocatable !== undefined) return object;
  return { ...object, status: { ...status, allocatable: status.capacity } };
}

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** The admission plugin TaintNodesByCondition: a new node takes no pods before its conditions are known. */
function withNotReadyTaint(object: StoredObject): StoredObject {
  const taints = itemsOf(object.spec?.taints);
  const isTainted = taints.some(({ key, effect }: Json) => key === notReady.key && effect === notReady.effect);
  return isTainted ? object : { ...object, spec: { ...object.spec, taints: [...taints, notReady] } };
}
