import { driverOf, storageClasses } from '@holdfast/embedded-cluster';
import type { Resource } from '../../cluster/kinds.ts';
import type { Located, ManifestObject } from './located.ts';

/** Why no volume is made for claims of the object's; undefined where one is. */
export function withoutVolume(object: ManifestObject, located: readonly Located[]): string | undefined {
  const resource = object as unknown as Resource;
  if (resource.kind === 'StorageClass')
    return driverOf(resource.provisioner) === undefined
      ? `: no driver of ${resource.provisioner} is in a rehearsal: claims of this class get only volumes of the manifests`
      : undefined;
  const known = new Set([
    ...storageClasses.map(({ metadata }) => metadata.name),
    ...located.flatMap((one) => (one.object.kind === 'StorageClass' ? [one.object.metadata.name] : [])),
  ]);
  const unknown = classesNamedBy(resource).find((name) => name !== '' && !known.has(name));
  if (unknown === undefined) return undefined;
  const names = [...known].join(', ');
  return `: there is no StorageClass ${unknown} in a rehearsal, so that its claims stay Pending: bring it in the manifests (there are ${names})`;
}

function classesNamedBy(resource: Resource): readonly string[] {
  if (resource.kind === 'PersistentVolumeClaim')
    return resource.spec.volumeName === undefined ? [resource.spec.storageClassName ?? ''] : [];
  if (resource.kind !== 'StatefulSet') return [];
  return (resource.spec.volumeClaimTemplates ?? []).map(({ spec }) => Object(spec).storageClassName ?? '');
}
