import type { Resource } from '../kubernetes/kinds.ts';
import type { OwnerReference } from '../kubernetes/metadata.ts';

/** The owner reference of an object that is garbage collected with `owner`. */
export function ownedBy({ apiVersion, kind, metadata }: Resource): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', blockOwnerDeletion: true };
}

/** The owner reference that makes `owner` the controller of the object. */
export const controlledBy = (owner: Resource): OwnerReference => ({ ...ownedBy(owner), controller: true });

/** The owner reference of the object's controller. */
export function controllerOf({ metadata }: Resource): OwnerReference | undefined {
  for (const owner of metadata.ownerReferences ?? none) if (owner.controller === true) return owner;
  return undefined;
}
const none: readonly OwnerReference[] = [];

/** The key of the object's controller if it is of that kind: a list of one key, or of none. */
export function keysOfController(kind: string): (object: Resource) => readonly string[] {
  return (object) => {
    const owner = controllerOf(object);
    if (owner?.kind !== kind) return [];
    const { namespace } = object.metadata;
    return [namespace === undefined ? owner.name : `${namespace}/${owner.name}`];
  };
}
