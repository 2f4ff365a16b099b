import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { between, formatCauses, formatCausesIfSet, formats, isUnset, oneOf, requiredCauses, when } from '../formats.ts';
import { backstepCauses } from '../pods/paths.ts';

/**
 * Where a source of a volume stands: a pod's Secrets are in its own namespace, those of a PersistentVolume say theirs.
 */
export type Owner = 'pod' | 'volume';

/** The errors in one source of a volume, in the order in which the API server looks for them. */
export type Source = (source: Json, field: string, owner: Owner) => readonly FieldCause[];

/** The sources that pods and PersistentVolumes have in common (kubernetes, pkg/apis/core/validation). */
export const commonSources = {
  awsElasticBlockStore: ({ volumeID, partition }, field) => [
    ...requiredCauses(`${field}.volumeID`, volumeID),
    ...partitionCauses(partition, field),
  ],
  azureDisk: azureDiskCauses,
  azureFile: ({ secretName, shareName, secretNamespace }, field) => [
    ...requiredCauses(`${field}.secretName`, secretName),
    ...requiredCauses(`${field}.shareName`, shareName),
    ...when(secretNamespace === '', fieldCauses.required(`${field}.secretNamespace`)),
  ],
  cephfs: needs(['monitors']),
  cinder: (source, field, owner) => [
    ...requiredCauses(`${field}.volumeID`, source.volumeID),
    ...secretCauses(source.secretRef, `${field}.secretRef`, owner),
  ],
  fc: fibreChannelCauses,
  flexVolume: needs(['driver']),
  flocker: flockerCauses,
  /** An error names it otherwise. */
  gcePersistentDisk: ({ pdName, partition }, field) => {
    const named = field.replace(/gcePersistentDisk$/, 'persistentDisk');
    return [...requiredCauses(`${named}.pdName`, pdName), ...partitionCauses(partition, named)];
  },
  glusterfs: ({ endpoints, path, endpointsNamespace: namespace }, field, owner) => [
    ...requiredCauses(`${field}.endpoints`, endpoints),
    ...requiredCauses(`${field}.path`, path),
    ...(owner === 'volume' ? endpointsNamespaceCauses(namespace, `${field}.endpointsNamespace`) : []),
  ],
  iscsi: iscsiCauses,
  nfs: ({ server, path = '' }, field) => [
    ...requiredCauses(`${field}.server`, server),
    ...requiredCauses(`${field}.path`, path),
    ...when(!String(path).startsWith('/'), fieldCauses.invalid(`${field}.path`, path, 'must be an absolute path')),
  ],
  photonPersistentDisk: needs(['pdID']),
  portworxVolume: needs(['volumeID']),
  quobyte: quobyteCauses,
  rbd: needs(['monitors', 'image']),
  scaleIO: needs(['gateway', 'system', 'volumeName']),
  storageos: storageOsCauses,
  vsphereVolume: needs(['volumePath']),
} as const satisfies Readonly<Record<string, Source>>;

function needs(names: readonly string[]): Source {
  return (source, field) => names.flatMap((name) => requiredCauses(`${field}.${name}`, source[name]));
}

function partitionCauses(partition: unknown, field: string): readonly FieldCause[] {
  const isWrong = typeof partition === 'number' && (partition < 0 || partition > 255);
  return when(isWrong, fieldCauses.invalid(`${field}.partition`, partition, 'must be between 1 and 255, inclusive'));
}

/** The errors in a Secret that a driver needs, if one is named. */
export function secretCauses(secret: unknown, field: string, owner: Owner): readonly FieldCause[] {
  if (!isJson(secret)) return [];
  return [
    ...requiredCauses(`${field}.name`, secret.name),
    ...(owner === 'volume' ? requiredCauses(`${field}.namespace`, secret.namespace) : []),
  ];
}

function flockerCauses({ datasetName: name, datasetUUID: uuid }: Json, field: string): readonly FieldCause[] {
  const [named, known] = [!isUnset(name), !isUnset(uuid)];
  const both = 'resource',
    none = 'one of datasetName and datasetUUID is required';
  return [
    ...when(!(named || known), fieldCauses.required(field, none)),
    ...when(
      named && known,
      fieldCauses.invalid(field, both, 'datasetName and datasetUUID can not be specified simultaneously'),
    ),
    ...when(
      String(name ?? '').includes('/'),
      fieldCauses.invalid(`${field}.datasetName`, name, "must not contain '/'"),
    ),
  ];
}

function endpointsNamespaceCauses(namespace: unknown, field: string): readonly FieldCause[] {
  if (namespace === undefined) return [];
  const why = 'if the endpointnamespace is set, it must be a valid namespace name';
  return namespace === '' ? [fieldCauses.invalid(field, '', why)] : formatCauses(field, namespace, formats.label);
}

const initiators = ['iqn', 'eui', 'naa'];

function iscsiCauses(source: Json, field: string, owner: Owner): readonly FieldCause[] {
  const { targetPortal, iqn, lun, initiatorName } = source;
  const why = owner === 'pod' ? 'must be valid format starting with iqn, eui, or naa' : 'must be valid format';
  const isName = (text: unknown) => initiators.some((start) => String(text).startsWith(start));
  const authenticates = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  return [
    ...requiredCauses(`${field}.targetPortal`, targetPortal),
    ...requiredCauses(`${field}.iqn`, iqn),
    ...when(!(isUnset(iqn) || isName(iqn)), fieldCauses.invalid(`${field}.iqn`, iqn, why)),
    ...between(`${field}.lun`, lun, 0, 255),
    ...when(authenticates && !isJson(source.secretRef), fieldCauses.required(`${field}.secretRef`)),
    ...(owner === 'volume' && isJson(source.secretRef)
      ? requiredCauses(`${field}.secretRef.name`, source.secretRef.name)
      : []),
    ...when(
      initiatorName !== undefined && !isName(initiatorName),
      fieldCauses.invalid(`${field}.initiatorname`, initiatorName, why),
    ),
  ];
}

function fibreChannelCauses({ targetWWNs, wwids, lun }: Json, field: string): readonly FieldCause[] {
  const count = (list: unknown) => (Array.isArray(list) ? list.length : 0);
  const [targets, ids] = [count(targetWWNs), count(wwids)];
  const one = 'must specify either targetWWNs or wwids, but not both';
  if (targets === 0 && ids === 0) return [fieldCauses.required(`${field}.targetWWNs`, one)];
  if (targets > 0 && ids > 0) return [fieldCauses.invalid(`${field}.targetWWNs`, targetWWNs, one)];
  if (targets === 0) return [];
  return lun === undefined
    ? [fieldCauses.required(`${field}.lun`, 'lun is required if targetWWNs is specified')]
    : between(`${field}.lun`, lun, 0, 255);
}

const diskKinds = ['Dedicated', 'Managed', 'Shared'];
const blobs = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';
const disks = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';

function azureDiskCauses(source: Json, field: string): readonly FieldCause[] {
  const { diskName, diskURI = '', cachingMode, kind = 'Shared' } = source;
  const uri = String(diskURI);
  const isBlob = uri.startsWith('https://');
  const isManaged = uri.startsWith('/subscriptions');
  return [
    ...requiredCauses(`${field}.diskName`, diskName),
    ...requiredCauses(`${field}.diskURI`, diskURI),
    ...oneOf(`${field}.cachingMode`, cachingMode, ['None', 'ReadOnly', 'ReadWrite']),
    ...oneOf(`${field}.kind`, kind, diskKinds),
    ...when(kind === 'Managed' && !isManaged, fieldCauses.unsupported(`${field}.diskURI`, diskURI, [disks])),
    ...when(kind !== 'Managed' && !isBlob, fieldCauses.unsupported(`${field}.diskURI`, diskURI, [blobs])),
  ];
}

function quobyteCauses({ registry, volume, tenant }: Json, field: string): readonly FieldCause[] {
  const why = 'must be a host:port pair or multiple pairs separated by commas';
  const pairs = String(registry ?? '').split(',');
  const isWrong = pairs.some((pair) => !/^[^:]+:[^:]+$/.test(pair));
  return [
    ...(isUnset(registry)
      ? [fieldCauses.required(`${field}.registry`, why)]
      : when(isWrong, fieldCauses.invalid(`${field}.registry`, registry, why))),
    ...when(
      String(tenant ?? '').length > 64,
      fieldCauses.required(`${field}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'),
    ),
    ...requiredCauses(`${field}.volume`, volume),
  ];
}

function storageOsCauses(source: Json, field: string, owner: Owner): readonly FieldCause[] {
  const { volumeName, volumeNamespace } = source;
  return [
    ...(isUnset(volumeName)
      ? [fieldCauses.required(`${field}.volumeName`)]
      : formatCauses(`${field}.volumeName`, volumeName, formats.label)),
    ...formatCausesIfSet(`${field}.volumeNamespace`, volumeNamespace, formats.label),
    ...secretCauses(source.secretRef, `${field}.secretRef`, owner),
  ];
}

/** The errors in the name of a driver of volumes (CSI specification, "Plugin names"). */
export function driverNameCauses(name: string, field: string): readonly FieldCause[] {
  const shown = ({ message, ...cause }: FieldCause) => ({
    ...cause,
    message: message.replace(JSON.stringify(name.toLowerCase()), () => JSON.stringify(name)),
  });
  return [
    ...requiredCauses(field, name),
    ...when(name.length > 63, fieldCauses.tooLong(field, 63)),
    ...formatCauses(field, name.toLowerCase(), formats.subdomain).map(shown),
  ];
}

const driverSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

/** What a PersistentVolume alone has. */
export const volumeOnlySources = {
  csi: (source, field) => [
    ...driverNameCauses(String(source.driver ?? ''), `${field}.driver`),
    ...requiredCauses(`${field}.volumeHandle`, source.volumeHandle),
    ...driverSecrets.flatMap((name) => driverSecretCauses(source[name], `${field}.${name}`)),
  ],
  local: ({ path }, field) =>
    isUnset(path) ? [fieldCauses.required(`${field}.path`)] : backstepCauses(`${field}.path`, String(path)),
} as const satisfies Readonly<Record<string, Source>>;

function driverSecretCauses(secret: unknown, field: string): readonly FieldCause[] {
  if (!isJson(secret)) return [];
  const part = (name: string, format: (typeof formats)['label' | 'subdomain']) =>
    isUnset(secret[name])
      ? [fieldCauses.required(`${field}.${name}`)]
      : formatCauses(`${field}.${name}`, secret[name], format);
  return [...part('name', formats.subdomain), ...part('namespace', formats.label)];
}
