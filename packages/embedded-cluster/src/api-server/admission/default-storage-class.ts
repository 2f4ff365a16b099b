import { defaultClass } from '../../objects/claims.ts';
import { isJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { Api } from '../api.ts';

/**
 * The admission plugin DefaultStorageClass: a new claim that names no class gets the default one
 * (https://kubernetes.io/docs/concepts/storage/storage-classes/#default-storageclass).
 */
export function withDefaultClass(
  claim: StoredObject,
  before: StoredObject | undefined,
  { objects }: Api,
): StoredObject {
  const { spec } = claim;
  if (before !== undefined || !isJson(spec) || spec.storageClassName !== undefined) return claim;
  const found = defaultClass(objects.list('StorageClass'));
  return found === undefined ? claim : { ...claim, spec: { ...spec, storageClassName: found.metadata.name } };
}
