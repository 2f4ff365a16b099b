import { isJson, type Json } from '../../../objects/json.ts';

/** The API server's own order of the sources of a volume. */
const heldVolume = [
  'GCEPersistentDisk',
  'AWSElasticBlockStore',
  'HostPath',
  'Glusterfs',
  'NFS',
  'RBD',
  'Quobyte',
  'ISCSI',
  'FlexVolume',
  'Cinder',
  'CephFS',
  'FC',
  'Flocker',
  'AzureFile',
  'VsphereVolume',
  'AzureDisk',
  'PhotonPersistentDisk',
  'PortworxVolume',
  'ScaleIO',
  'Local',
  'StorageOS',
  'CSI',
];

/** A volume's sources as the API server holds them, for a refusal to show. */
export function heldSources(spec: Json): Json {
  const sourceOf = (name: string) =>
    spec[Object.keys(spec).find((key) => key.toLowerCase() === name.toLowerCase()) ?? ''];
  return Object.fromEntries(heldVolume.map((name) => [name, heldSource(sourceOf(name))]));
}

/** The members of the commonest sources in the order of their types. */
function heldSource(source: unknown): unknown {
  if (!isJson(source)) return null;
  if (source.server !== undefined)
    return { Server: source.server, Path: source.path, ReadOnly: source.readOnly ?? false };
  if (source.driver === undefined) return { Path: source.path ?? '', Type: source.type ?? null };
  const { driver, volumeHandle = '', readOnly = false, fsType = '', volumeAttributes = null } = source;
  return {
    Driver: driver,
    VolumeHandle: volumeHandle,
    ReadOnly: readOnly,
    FSType: fsType,
    VolumeAttributes: volumeAttributes,
    ...Object.fromEntries(volumeSecrets.map((name) => [name, shownSecret(source[lowered(name)])])),
  };
}

const volumeSecrets = [
  'ControllerPublishSecretRef',
  'NodeStageSecretRef',
  'NodePublishSecretRef',
  'ControllerExpandSecretRef',
  'NodeExpandSecretRef',
];
const lowered = (name: string): string => `${name[0]?.toLowerCase()}${name.slice(1)}`;
const shownSecret = (reference: unknown): Json | null =>
  isJson(reference) ? { Name: reference.name ?? '', Namespace: reference.namespace ?? '' } : null;
