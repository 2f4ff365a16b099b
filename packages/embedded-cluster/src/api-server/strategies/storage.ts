import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { quantity } from '../../objects/quantities.ts';
import { withDefaultClass } from '../admission/default-storage-class.ts';
import { requireClaimWithinLimits } from '../admission/limit-ranger.ts';
import type { Api, ApiRequest } from '../api.ts';
import { refusals } from '../refusals.ts';
import { itemsOf } from '../validation/pods/containers.ts';
import { csiDriverCauses } from '../validation/seldom/drivers.ts';
import { attachmentCauses } from '../validation/seldom/volume-attachment.ts';
import { claimCauses, storageClassCauses, volumeCauses } from '../validation/volumes/storage.ts';
import { volumeWarnings as deprecatedVolumeWarnings, deprecationOf, termWarnings } from './deprecations.ts';
import { at, defaultsOf, type Strategy } from './strategy.ts';
import { ofDisks } from './volumes.ts';
import { fractionWarnings } from './warnings.ts';

/** The admission plugin StorageObjectInUseProtection: a new claim or volume is kept while it is in use. */
function protectedBy(finalizer: string, object: StoredObject, before: StoredObject | undefined): StoredObject {
  const { finalizers = [] } = object.metadata;
  if (before !== undefined || finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}

/** core/v1 PersistentVolumeClaim. */
export const persistentVolumeClaim: Strategy = {
  firstStatus: () => ({ phase: 'Pending' }),
  complete: (object) => at(object, 'spec', defaultsOf({ volumeMode: 'Filesystem' })),
  admit: (object, before, api) =>
    protectedBy('kubernetes.io/pvc-protection', withDefaultClass(withSource(object, before), before, api), before),
  validate: claimCauses,
  warnings: claimWarnings,
  permit: (object, before, api, request) => {
    requireClaimWithinLimits(object, api, request);
    requireResizable(object, before, api, request);
  },
};

/**
 * The source of a new claim has two fields: the older field takes only claims and snapshots, and one of another
 * namespace is behind a feature gate that is off (kubernetes, pkg/api/persistentvolumeclaim/util.go).
 */
function withSource(object: StoredObject, before: StoredObject | undefined): StoredObject {
  const { dataSource, dataSourceRef, ...spec } = object.spec ?? {};
  if (before !== undefined || (dataSource === undefined && dataSourceRef === undefined)) return object;
  const older = jsonIf(dataSource, isOlderSource);
  const newer = jsonIf(dataSourceRef, ({ namespace }) => namespace === undefined);
  const [dataSourceOf, referenceOf] = [older ?? newer, newer ?? older];
  if (dataSourceOf === undefined) return { ...object, spec };
  return { ...object, spec: { ...spec, dataSource: dataSourceOf, dataSourceRef: referenceOf } };
}

const jsonIf = (value: unknown, fits: (value: Json) => boolean): Json | undefined =>
  isJson(value) && fits(value) ? value : undefined;

function isOlderSource({ apiGroup = '', kind }: Json): boolean {
  if (kind === 'PersistentVolumeClaim') return apiGroup === '';
  return kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io';
}

/** The admission plugin PersistentVolumeClaimResize: only a class that says so lets its claims grow. */
function requireResizable(
  { spec, status }: StoredObject,
  before: StoredObject | undefined,
  api: Api,
  at: ApiRequest,
): void {
  const [size, old] = [storageOf(spec), storageOf(before?.spec)];
  if (before === undefined || size <= old || status?.phase !== 'Bound') return;
  const named = api.objects.get('StorageClass', undefined, String(spec?.storageClassName ?? ''));
  if (named !== undefined && Reflect.get(named, 'allowVolumeExpansion') === true) return;
  const why =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  throw refusals.forbidden(at, why);
}

function storageOf(spec: Json | undefined): number {
  const { requests } = isJson(spec?.resources) ? spec.resources : {};
  return quantity(String((isJson(requests) ? requests.storage : undefined) ?? '0'));
}

/** core/v1 PersistentVolume. */
export const persistentVolume: Strategy = {
  firstStatus: ({ metadata }) => ({ phase: 'Pending', lastPhaseTransitionTime: metadata.creationTimestamp }),
  complete: (object) => {
    const whole = at(object, 'spec', defaultsOf({ persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }));
    const placed = at(whole, 'spec.hostPath', defaultsOf({ type: '' }));
    return Object.entries(ofDisks).reduce((object, [type, change]) => at(object, `spec.${type}`, change), placed);
  },
  admit: (object, before) => protectedBy('kubernetes.io/pv-protection', object, before),
  validate: volumeCauses,
  warnings: volumeWarnings,
};

/** kubernetes, pkg/api/persistentvolume/util.go. */
function volumeWarnings({ metadata, spec }: StoredObject, before: StoredObject | undefined): readonly string[] {
  if (spec === undefined || spec === before?.spec) return [];
  const why =
    'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  const { required }: Json = isJson(spec.nodeAffinity) ? spec.nodeAffinity : {};
  const { nodeSelectorTerms }: Json = isJson(required) ? required : {};
  return [
    ...classWarnings(metadata.annotations, before),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle' ? [`spec.persistentVolumeReclaimPolicy: ${why}`] : []),
    ...itemsOf(nodeSelectorTerms).flatMap((term, index) =>
      termWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`),
    ),
    ...deprecatedVolumeWarnings(spec, 'spec'),
  ];
}

function classWarnings(annotations: unknown, before: StoredObject | undefined): readonly string[] {
  const key = 'volume.beta.kubernetes.io/storage-class';
  const isNew = before === undefined && isJson(annotations) && annotations[key] !== undefined;
  return isNew ? [`metadata.annotations[${key}]: deprecated since v1.8; use "storageClassName" attribute instead`] : [];
}

/** kubernetes, pkg/api/persistentvolumeclaim/util.go. */
function claimWarnings({ metadata, spec }: StoredObject, before: StoredObject | undefined): readonly string[] {
  const classed = classWarnings(metadata.annotations, before);
  return spec === before?.spec ? classed : [...classed, ...fractionWarnings(spec?.resources, 'spec.resources')];
}

function topologyWarnings(object: StoredObject, before: StoredObject | undefined): readonly string[] {
  if (before !== undefined) return [];
  return itemsOf(Reflect.get(object, 'allowedTopologies')).flatMap(({ matchLabelExpressions }, index) =>
    itemsOf(matchLabelExpressions).flatMap(({ key }, inner) => {
      const why = deprecationOf(key);
      return why === undefined ? [] : [`allowedTopologies[${index}].matchLabelExpressions[${inner}].key: ${why}`];
    }),
  );
}

/** storage.k8s.io/v1. */
export const storageClass: Strategy = {
  complete: (object) => defaultsOf({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' })(object) as StoredObject,
  validate: storageClassCauses,
  warnings: topologyWarnings,
};

export const volumeAttachment: Strategy = { validate: attachmentCauses };

/** storage.k8s.io/v1 CSIDriver (kubernetes, pkg/apis/storage/v1/defaults.go). */
export const csiDriver: Strategy = {
  validate: csiDriverCauses,
  // The first change gives it a generation.
  admit: (object, before) =>
    before === undefined || before.metadata.generation !== undefined || object.spec === before.spec
      ? object
      : { ...object, metadata: { ...object.metadata, generation: 0 } },
  complete: (object) =>
    at(
      object,
      'spec',
      defaultsOf({
        attachRequired: true,
        podInfoOnMount: false,
        storageCapacity: false,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        volumeLifecycleModes: ['Persistent'],
        requiresRepublish: false,
        seLinuxMount: false,
      }),
    ),
};
