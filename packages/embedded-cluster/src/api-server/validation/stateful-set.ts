import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { countOrPercentage, notNegative } from '../strategies/validation.ts';
import { formatCausesIfSet, formats, oneOf, when } from './formats.ts';
import { itemsOf } from './pods/containers.ts';
import { claimSpecCauses } from './volumes/claims.ts';
import { atMostAll, isZero, ofStatefulSet, selectedCauses } from './workload.ts';

/** apps/v1 StatefulSet (kubernetes, pkg/apis/apps/validation). */
export function statefulSetCauses(
  { spec = {} }: StoredObject,
  before: StoredObject | undefined,
): readonly FieldCause[] {
  if (spec === before?.spec) return [];
  const { podManagementPolicy: policy, ordinals } = spec;
  const isKnown = policy === undefined || policy === 'OrderedReady' || policy === 'Parallel';
  const why = "must be 'OrderedReady' or 'Parallel'";
  return [
    ...when(!isKnown, fieldCauses.invalid('spec.podManagementPolicy', policy, why)),
    ...updateCauses(spec.updateStrategy),
    ...retentionCauses(spec.persistentVolumeClaimRetentionPolicy),
    ...(before === undefined ? claimTemplateCauses(spec) : []),
    ...notNegative('spec.replicas', spec.replicas),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...notNegative('spec.ordinals.start', isJson(ordinals) ? ordinals.start : undefined),
    ...(before === undefined ? formatCausesIfSet('spec.serviceName', spec.serviceName, formats.label) : []),
    ...selectedCauses(withClaimedVolumes(spec), ofStatefulSet),
    ...(before === undefined ? [] : changedCauses(spec, before.spec ?? {})),
  ];
}

function updateCauses(strategy: unknown): readonly FieldCause[] {
  const { type, rollingUpdate } = isJson(strategy) ? strategy : {};
  const field = 'spec.updateStrategy';
  const only = "only allowed for updateStrategy 'RollingUpdate'";
  if (type === 'OnDelete')
    return when(isJson(rollingUpdate), fieldCauses.invalid(`${field}.rollingUpdate`, shownUpdate(rollingUpdate), only));
  if (type === undefined) return [];
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: shownUpdate(rollingUpdate) };
    return [fieldCauses.invalid(field, shown, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  const { partition, maxUnavailable } = isJson(rollingUpdate) ? rollingUpdate : {};
  const at = `${field}.rollingUpdate.maxUnavailable`;
  const none = maxUnavailable !== undefined && isZero(maxUnavailable);
  return [
    ...notNegative(`${field}.rollingUpdate.partition`, partition),
    ...countOrPercentage(at, maxUnavailable),
    ...when(none, fieldCauses.invalid(at, maxUnavailable, 'cannot be 0')),
    ...atMostAll(at, maxUnavailable),
  ];
}

const shownUpdate = (update: unknown): Json | null =>
  isJson(update) ? { Partition: update.partition ?? 0, MaxUnavailable: update.maxUnavailable ?? null } : null;

function retentionCauses(policy: unknown): readonly FieldCause[] {
  const { whenDeleted, whenScaled } = isJson(policy) ? policy : {};
  const field = 'spec.persistentVolumeClaimRetentionPolicy';
  const known = ['Retain', 'Delete'];
  return [...oneOf(`${field}.whenDeleted`, whenDeleted, known), ...oneOf(`${field}.whenScaled`, whenScaled, known)];
}

function claimTemplateCauses({ volumeClaimTemplates }: Json): readonly FieldCause[] {
  return itemsOf(volumeClaimTemplates).flatMap(({ spec }, index) =>
    claimSpecCauses(isJson(spec) ? spec : {}, `spec.volumeClaimTemplates[${index}].spec`),
  );
}

/** The spec with the volumes that its pods will have. */
function withClaimedVolumes(spec: Json): Json {
  const claims = itemsOf(spec.volumeClaimTemplates).map(({ metadata }) =>
    isJson(metadata) ? metadata.name : undefined,
  );
  const template = isJson(spec.template) ? spec.template : {};
  if (claims.length === 0 || !isJson(template.spec)) return spec;
  const own = itemsOf(template.spec.volumes).filter(({ name }) => !claims.includes(name));
  const claimed = claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...spec, template: { ...template, spec: { ...template.spec, volumes: [...claimed, ...own] } } };
}

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/** The members of a StatefulSet that an update must leave alone. */
function changedCauses(spec: Json, before: Json): readonly FieldCause[] {
  const kept = (from: Json) => Object.fromEntries(Object.entries(from).filter(([key]) => !changeable.includes(key)));
  if (sameJson(kept(spec), kept(before))) return [];
  const named = changeable.map((name) => `'${name}'`);
  const all = `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
  return [fieldCauses.forbidden('spec', `updates to statefulset spec for fields other than ${all} are forbidden`)];
}
