import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { formatCauses, formats, isUnset, oneOf, requiredCauses, when } from '../formats.ts';
import { claimSpecCauses } from '../volumes/claims.ts';
import { commonSources, driverNameCauses, type Source } from '../volumes/volume-sources.ts';
import { itemsOf } from './containers.ts';
import { fieldReferenceCauses, resourceReferenceCauses } from './environment.ts';
import { backstepCauses, descendingPathCauses, fileModeCauses, filePathCauses } from './paths.ts';

/** The errors in a pod's volumes (kubernetes, pkg/apis/core/validation, ValidateVolumes). */
export function volumeCauses(volumes: readonly Json[], field: string): readonly FieldCause[] {
  return volumes.flatMap((_, index) => causesOf(volumes, index, field));
}

/** Those that can be mounted: with one in which something is wrong a container's mount is not found. */
export function validVolumes(volumes: readonly Json[], field: string): readonly Json[] {
  return volumes.filter((_, index) => causesOf(volumes, index, field).length === 0);
}

function causesOf(volumes: readonly Json[], index: number, field: string): readonly FieldCause[] {
  const at = `${field}[${index}]`;
  const volume = volumes[index] ?? {};
  const { name } = volume;
  const again = !isUnset(name) && volumes.findIndex((one) => one.name === name) < index;
  return [
    ...sourceCauses(volume, at),
    ...(isUnset(name) ? [fieldCauses.required(`${at}.name`)] : formatCauses(`${at}.name`, name, formats.label)),
    ...when(again, fieldCauses.duplicate(`${at}.name`, name)),
  ];
}

/** In the order in which the API server looks for them. */
const sources: Readonly<Record<string, Source>> = {
  emptyDir: ({ sizeLimit }, field) =>
    when(
      String(sizeLimit ?? '').startsWith('-'),
      fieldCauses.forbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'),
    ),
  hostPath: hostPathCauses,
  gitRepo: gitRepositoryCauses,
  gcePersistentDisk: commonSources.gcePersistentDisk,
  awsElasticBlockStore: commonSources.awsElasticBlockStore,
  secret: (source, field) => filesCauses(source, field, 'secretName'),
  nfs: commonSources.nfs,
  iscsi: commonSources.iscsi,
  glusterfs: commonSources.glusterfs,
  persistentVolumeClaim: ({ claimName }, field) => requiredCauses(`${field}.claimName`, claimName),
  rbd: commonSources.rbd,
  cinder: commonSources.cinder,
  cephfs: commonSources.cephfs,
  quobyte: commonSources.quobyte,
  downwardAPI: downwardCauses,
  fc: commonSources.fc,
  flexVolume: commonSources.flexVolume,
  configMap: (source, field) => filesCauses(source, field, 'name'),
  azureFile: commonSources.azureFile,
  flocker: commonSources.flocker,
  vsphereVolume: commonSources.vsphereVolume,
  azureDisk: commonSources.azureDisk,
  storageos: commonSources.storageos,
  portworxVolume: commonSources.portworxVolume,
  photonPersistentDisk: commonSources.photonPersistentDisk,
  scaleIO: commonSources.scaleIO,
  projected: projectedCauses,
  csi: driverCauses,
  ephemeral: ({ volumeClaimTemplate: template }, field) =>
    isJson(template)
      ? claimSpecCauses(isJson(template.spec) ? template.spec : {}, `${field}.volumeClaimTemplate.spec`)
      : [fieldCauses.required(`${field}.volumeClaimTemplate`)],
};
const types = Object.keys(sources);

function sourceCauses(volume: Json, field: string): readonly FieldCause[] {
  const [first, ...others] = types.filter((type) => isJson(volume[type]));
  if (first === undefined) return [];
  return [
    ...(sources[first]?.(volume[first] as Json, `${field}.${first}`, 'pod') ?? []),
    ...others.map((type) => fieldCauses.forbidden(`${field}.${type}`, 'may not specify more than 1 volume type')),
  ];
}

/** The Secret's name is said to be the driver's own. */
function driverCauses({ driver = '', nodePublishSecretRef: secret }: Json, field: string): readonly FieldCause[] {
  const { name } = isJson(secret) ? secret : {};
  const ofSecret = isUnset(name)
    ? [fieldCauses.required(`${field}.nodePublishSecretRef.name`)]
    : formatCauses(`${field}.name`, name, formats.subdomain);
  return [...driverNameCauses(String(driver), `${field}.driver`), ...(isJson(secret) ? ofSecret : [])];
}

function gitRepositoryCauses({ repository, directory }: Json, field: string): readonly FieldCause[] {
  const inside = descendingPathCauses(`${field}.directory`, String(directory ?? ''));
  return [...requiredCauses(`${field}.repository`, repository), ...inside];
}

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** The errors in a directory of the node, in a pod or a volume. */
export function hostPathCauses({ path, type }: Json, field: string): readonly FieldCause[] {
  if (isUnset(path)) return [fieldCauses.required(`${field}.path`)];
  return [...backstepCauses(`${field}.path`, String(path)), ...oneOf(`${field}.type`, type, hostPathTypes)];
}

function filesCauses(source: Json, field: string, named: string): readonly FieldCause[] {
  return [
    ...requiredCauses(`${field}.${named}`, source[named]),
    ...fileModeCauses(`${field}.defaultMode`, source.defaultMode),
    ...itemsOf(source.items).flatMap((item, index) => itemCauses(item, `${field}.items[${index}]`)),
  ];
}

function itemCauses({ key, path = '', mode }: Json, field: string): readonly FieldCause[] {
  return [
    ...requiredCauses(`${field}.key`, key),
    ...requiredCauses(`${field}.path`, path),
    ...filePathCauses(`${field}.path`, String(path)),
    ...fileModeCauses(`${field}.mode`, mode),
  ];
}

function downwardCauses({ defaultMode, items }: Json, field: string): readonly FieldCause[] {
  return [
    ...fileModeCauses(`${field}.defaultMode`, defaultMode),
    ...itemsOf(items).flatMap((file) => downwardFileCauses(file, field)),
  ];
}

const ofPod = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/** Said of the volume: the API server does not say which file it is. */
function downwardFileCauses(file: Json, field: string): readonly FieldCause[] {
  const { path = '', fieldRef, resourceFieldRef, mode } = file;
  const none = fieldCauses.required(field, 'one of fieldRef and resourceFieldRef is required');
  const ofResource = isJson(resourceFieldRef)
    ? containerResourceCauses(resourceFieldRef, `${field}.resourceFieldRef`)
    : [none];
  return [
    ...requiredCauses(`${field}.path`, path),
    ...filePathCauses(`${field}.path`, String(path)),
    ...(isJson(fieldRef) ? fieldReferenceCauses(fieldRef, `${field}.fieldRef`, ofPod) : ofResource),
    ...fileModeCauses(`${field}.mode`, mode),
  ];
}

/** Outside of a container it has to be named. */
function containerResourceCauses(reference: Json, field: string): readonly FieldCause[] {
  return isUnset(reference.containerName)
    ? [fieldCauses.required(`${field}.containerName`)]
    : resourceReferenceCauses(reference, field);
}

function projectedCauses({ defaultMode, sources: parts }: Json, field: string): readonly FieldCause[] {
  return [
    ...fileModeCauses(`${field}.defaultMode`, defaultMode),
    ...itemsOf(parts).flatMap((part, index) => partCauses(part, `${field}.sources[${index}]`, field)),
  ];
}

function partCauses(part: Json, field: string, whole: string): readonly FieldCause[] {
  const { secret, configMap, downwardAPI, serviceAccountToken: token } = part;
  const given = Object.values(part).filter(isJson).length;
  const files = (source: unknown, name: string) =>
    isJson(source) ? filesCauses(source, `${field}.${name}`, 'name') : [];
  const downward = isJson(downwardAPI) ? itemsOf(downwardAPI.items) : [];
  return [
    ...files(secret, 'secret'),
    ...files(configMap, 'configMap'),
    ...downward.flatMap((file) => downwardFileCauses(file, `${field}.downwardAPI`)),
    ...(isJson(token) ? tokenCauses(token, `${field}.serviceAccountToken`, whole) : []),
    ...when(given > 1, fieldCauses.forbidden(field, 'may not specify more than 1 volume type per source')),
  ];
}

function tokenCauses(
  { expirationSeconds = 3600, path = '' }: Json,
  field: string,
  whole: string,
): readonly FieldCause[] {
  const at = `${field}.expirationSeconds`;
  const seconds = Number(expirationSeconds);
  return [
    ...when(seconds < 600, fieldCauses.invalid(at, seconds, 'may not specify a duration less than 10 minutes')),
    ...when(seconds > 2 ** 32, fieldCauses.invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds')),
    ...(path === '' ? [fieldCauses.required(`${whole}.path`)] : filePathCauses(`${whole}.path`, String(path))),
  ];
}
