import type { Resource } from '../cluster/kinds.ts';
import type { OwnerReference } from '../cluster/metadata.ts';

/** The reference that makes `owner` the controller of what carries it. */
export function controlledBy(owner: Resource): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

export const controllerOf = (object: Resource): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find(({ controller }) => controller === true);

/** The keys of the controllers of that kind in the object's own namespace: one, or none. */
export function keysOfController(kind: string): (object: Resource) => readonly string[] {
  return (object) => {
    const owner = controllerOf(object);
    if (owner?.kind !== kind) return [];
    const { namespace } = object.metadata;
    return [namespace === undefined ? owner.name : `${namespace}/${owner.name}`];
  };
}
