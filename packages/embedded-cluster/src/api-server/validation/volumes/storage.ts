import { isJson, type Json, sameJson } from '../../../objects/json.ts';
import type { StoredObject } from '../../../objects/objects.ts';
import { quantity } from '../../../objects/quantities.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { immutable } from '../../strategies/validation.ts';
import { formatCausesIfSet, formats, isUnset, oneOf, qualifiedNameCauses, when } from '../formats.ts';
import { nodeSelectorCauses } from '../pods/affinity.ts';
import { itemsOf } from '../pods/containers.ts';
import { hostPathCauses } from '../pods/volumes.ts';
import { specDifference } from '../spec-difference.ts';
import { accessModeCauses, claimSpecCauses } from './claims.ts';
import { heldSources } from './held-volume.ts';
import { commonSources, type Source, volumeOnlySources } from './volume-sources.ts';

/** storage.k8s.io/v1 StorageClass (kubernetes, pkg/apis/storage/validation). */
export function storageClassCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const now = object as unknown as Json;
  const { provisioner } = now;
  return [
    ...(isUnset(provisioner)
      ? [fieldCauses.required('provisioner')]
      : qualifiedNameCauses('provisioner', String(provisioner).toLowerCase())),
    ...(now.reclaimPolicy === '' ? [] : oneOf('reclaimPolicy', now.reclaimPolicy, ['Delete', 'Retain'])),
    ...oneOf('volumeBindingMode', now.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
    ...topologyCauses(itemsOf(now.allowedTopologies)),
    ...(before === undefined ? [] : changedClassCauses(now, before as unknown as Json)),
  ];
}

function changedClassCauses(now: Json, before: Json): readonly FieldCause[] {
  return [
    ...['parameters', 'provisioner', 'reclaimPolicy'].flatMap((key) =>
      when(!sameJson(now[key], before[key]), fieldCauses.forbidden(key, `updates to ${key} are forbidden.`)),
    ),
    ...immutable('volumeBindingMode', now.volumeBindingMode, before.volumeBindingMode),
  ];
}

/** core/v1 PersistentVolumeClaim (pkg/apis/core/validation, ValidatePersistentVolumeClaim). */
export function claimCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const spec = object.spec ?? {};
  if (spec === before?.spec) return [];
  return [...claimSpecCauses(spec, 'spec'), ...(before === undefined ? [] : changedClaimCauses(object, before))];
}

const heldClaim = {
  AccessModes: 'accessModes',
  Selector: 'selector',
  Resources: 'resources',
  VolumeName: 'volumeName',
  StorageClassName: 'storageClassName',
  VolumeMode: 'volumeMode',
  DataSource: 'dataSource',
  DataSourceRef: 'dataSourceRef',
  VolumeAttributesClassName: 'volumeAttributesClassName',
};

/** A claim as the API server holds it. */
function held(spec: Json): Json {
  const members = Object.entries(heldClaim).map(([name, key]) => [name, spec[key] ?? null] as const);
  const { limits = null, requests = null } = isJson(spec.resources) ? spec.resources : {};
  const whole = { Resources: { Limits: limits, Requests: requests }, VolumeName: spec.volumeName ?? '' };
  return { ...Object.fromEntries(members), ...whole };
}

/**
 * A claim stays as it is, but for its volume and its class, which it gets once, and what it requests once it is bound.
 */
function changedClaimCauses({ spec = {}, status }: StoredObject, before: StoredObject): readonly FieldCause[] {
  const old = before.spec ?? {};
  const bound = status?.phase === 'Bound';
  const bindable = {
    ...(isUnset(old.volumeName) && { volumeName: spec.volumeName }),
    ...(old.storageClassName === undefined && { storageClassName: spec.storageClassName }),
  };
  const grown = bound ? { resources: old.resources, volumeAttributesClassName: old.volumeAttributesClassName } : {};
  const [was, is] = [held({ ...old, ...bindable }), held({ ...spec, ...grown })];
  if (sameJson(was, is))
    return [...shrunkCauses(spec, old, status), ...immutable('volumeMode', spec.volumeMode, old.volumeMode)];
  const why =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  return [
    fieldCauses.forbidden('spec', `${why}\n${specDifference(was, is)}`),
    ...immutable('volumeMode', spec.volumeMode, old.volumeMode),
  ];
}

/** A volume does not shrink: not below what it has, and not below what was asked for. */
function shrunkCauses(spec: Json, old: Json, status: Json = {}): readonly FieldCause[] {
  const amountOf = (value: unknown) =>
    isJson(value) && value.storage !== undefined ? quantity(String(value.storage)) : 0;
  const requestOf = ({ resources }: Json) => amountOf(isJson(resources) ? resources.requests : undefined);
  const [size, before, capacity] = [requestOf(spec), requestOf(old), amountOf(status.capacity)];
  if (size >= before) return [];
  const field = 'spec.resources.requests.storage';
  if (size < capacity) return [fieldCauses.forbidden(field, 'field can not be less than status.capacity')];
  return capacity > 0 && before > capacity
    ? []
    : [fieldCauses.forbidden(field, 'field can not be less than previous value')];
}

/** In the order in which the API server looks for them. */
const sources: Readonly<Record<string, Source>> = {
  hostPath: hostPathCauses,
  gcePersistentDisk: commonSources.gcePersistentDisk,
  awsElasticBlockStore: commonSources.awsElasticBlockStore,
  glusterfs: commonSources.glusterfs,
  flocker: commonSources.flocker,
  nfs: commonSources.nfs,
  rbd: commonSources.rbd,
  quobyte: commonSources.quobyte,
  cephfs: commonSources.cephfs,
  iscsi: commonSources.iscsi,
  cinder: commonSources.cinder,
  fc: commonSources.fc,
  flexVolume: commonSources.flexVolume,
  azureFile: commonSources.azureFile,
  vsphereVolume: commonSources.vsphereVolume,
  photonPersistentDisk: commonSources.photonPersistentDisk,
  portworxVolume: commonSources.portworxVolume,
  azureDisk: commonSources.azureDisk,
  scaleIO: commonSources.scaleIO,
  local: volumeOnlySources.local,
  storageos: commonSources.storageos,
  csi: volumeOnlySources.csi,
};
const volumeSources = Object.keys(sources);

/** core/v1 PersistentVolume (ValidatePersistentVolumeSpec). */
export function volumeCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const spec = object.spec ?? {};
  if (spec === before?.spec) return [];
  const { volumeAttributesClassName: attributes } = spec;
  const none = !volumeSources.some((source) => isJson(spec[source]));
  return [
    ...accessModeCauses(spec, 'spec', ''),
    ...capacityCauses(spec.capacity),
    ...oneOf('spec.persistentVolumeReclaimPolicy', spec.persistentVolumeReclaimPolicy, ['Delete', 'Recycle', 'Retain']),
    ...placeCauses(spec.nodeAffinity, 'spec.nodeAffinity'),
    ...sourcesCauses(spec),
    ...when(none, fieldCauses.required('spec', 'must specify a volume type')),
    ...formatCausesIfSet('spec.storageClassName', spec.storageClassName, formats.subdomain),
    ...oneOf('spec.volumeMode', spec.volumeMode, ['Block', 'Filesystem']),
    ...when(attributes === '', fieldCauses.required('spec.volumeAttributesClassName', 'an empty string is disallowed')),
    ...formatCausesIfSet('spec.volumeAttributesClassName', attributes, formats.subdomain),
    ...(before === undefined ? [] : changedVolumeCauses(spec, before.spec ?? {})),
  ];
}

function sourcesCauses(spec: Json): readonly FieldCause[] {
  const [first, ...others] = volumeSources.filter((source) => isJson(spec[source]));
  if (first === undefined) return [];
  const unplaced = isJson(spec.local) && !isJson(isJson(spec.nodeAffinity) ? spec.nodeAffinity.required : undefined);
  const needsPlace = when(unplaced, fieldCauses.required('spec.nodeAffinity', 'Local volume requires node affinity'));
  return [
    ...(sources[first]?.(spec[first] as Json, `spec.${first}`, 'volume') ?? []),
    ...(first === 'local' ? needsPlace : []),
    ...others.flatMap((source) => [
      fieldCauses.forbidden(`spec.${source}`, 'may not specify more than 1 volume type'),
      ...(source === 'local' ? needsPlace : []),
    ]),
  ];
}

function placeCauses(affinity: unknown, field: string): readonly FieldCause[] {
  if (!isJson(affinity)) return [];
  return isJson(affinity.required)
    ? nodeSelectorCauses(affinity.required, `${field}.required`)
    : [fieldCauses.required(`${field}.required`, 'must specify required node constraints')];
}

/** Where a volume is stays. */
function changedVolumeCauses(spec: Json, old: Json): readonly FieldCause[] {
  const changed = volumeSources.some((source) => !sameJson(spec[source], old[source]));
  if (!changed) return immutable('spec.volumeMode', spec.volumeMode, old.volumeMode);
  const why = 'spec.persistentvolumesource is immutable after creation';
  const difference = specDifference(heldSources(old), heldSources(spec));
  return [fieldCauses.forbidden('spec.persistentvolumesource', `${why}\n${difference}`)];
}

function capacityCauses(capacity: unknown): readonly FieldCause[] {
  const amounts = isJson(capacity) ? capacity : {};
  const names = Object.keys(amounts);
  const isStorage = names.length === 1 && names[0] === 'storage';
  return [
    ...when(names.length === 0, fieldCauses.required('spec.capacity')),
    ...when(!isStorage, fieldCauses.unsupported('spec.capacity', capacity ?? null, ['storage'])),
    ...names.flatMap((name) => {
      const isPositive = Number.parseFloat(String(amounts[name])) > 0;
      return when(
        !isPositive,
        fieldCauses.invalid(`spec.capacity[${name}]`, amounts[name], 'must be greater than zero'),
      );
    }),
  ];
}

/**
 * storage.k8s.io/v1 StorageClass: where its volumes may be (kubernetes, pkg/apis/core/validation,
 * ValidateTopologySelectorTerm).
 */
function topologyCauses(topologies: readonly Json[]): readonly FieldCause[] {
  const seen: string[] = [];
  return topologies.flatMap(({ matchLabelExpressions }, index) => {
    const field = `allowedTopologies[${index}].matchLabelExpressions`;
    const expressions = itemsOf(matchLabelExpressions);
    const shown = JSON.stringify(expressions);
    const again = seen.includes(shown) || expressions.length === 0;
    seen.push(shown);
    const keys = expressions.map(({ key }) => key);
    return [
      ...expressions.flatMap((one, place) => [
        ...expressionCauses(one, `${field}[${place}]`),
        ...when(keys.indexOf(one.key) < place, fieldCauses.duplicate(`${field}[${place}].key`, one.key)),
      ]),
      ...when(again, fieldCauses.duplicate(field, '')),
    ];
  });
}

function expressionCauses({ key = '', values }: Json, field: string): readonly FieldCause[] {
  const list = Array.isArray(values) ? values : [];
  return [
    ...when(list.length === 0, fieldCauses.required(`${field}.values`)),
    ...list.flatMap((value, index) =>
      when(list.indexOf(value) < index, fieldCauses.duplicate(`${field}.values[${index}]`, value)),
    ),
    ...qualifiedNameCauses(`${field}.key`, String(key)),
  ];
}
