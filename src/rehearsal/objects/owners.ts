import type { Resource } from '../../cluster/kinds.ts';
import type { OwnerReference } from '../../cluster/metadata.ts';

/** The reference of what goes when its owner goes. */
export function ownedBy({ apiVersion, kind, metadata }: Resource): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', blockOwnerDeletion: true };
}

/** The reference that makes `owner` the controller of what carries it. */
export const controlledBy = (owner: Resource): OwnerReference => ({ ...ownedBy(owner), controller: true });

export function controllerOf({ metadata }: Resource): OwnerReference | undefined {
  for (const owner of metadata.ownerReferences ?? none) if (owner.controller === true) return owner;
  return undefined;
}
const none: readonly OwnerReference[] = [];

/** The keys of the controllers of that kind in the object's own namespace: one, or none. */
export function keysOfController(kind: string): (object: Resource) => readonly string[] {
  return (object) => {
    const owner = controllerOf(object);
    if (owner?.kind !== kind) return [];
    const { namespace } = object.metadata;
    return [namespace === undefined ? owner.name : `${namespace}/${owner.name}`];
  };
}
