import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { countOrPercentage, notNegative } from '../strategies/validation.ts';
import { oneOf, qualifiedNameCauses } from './formats.ts';
import { selectorCauses } from './selectors.ts';

/** coordination.k8s.io/v1 Lease. */
export function leaseCauses({ spec = {} }: StoredObject): readonly FieldCause[] {
  const { leaseDurationSeconds: seconds } = spec;
  return [
    ...(typeof seconds === 'number' && seconds <= 0
      ? [fieldCauses.invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]
      : []),
    ...notNegative('spec.leaseTransitions', spec.leaseTransitions),
  ];
}

/**
 * core/v1 Event: an event about an object of a namespace is in that namespace; one with an `eventTime` says who reports
 * what.
 */
export function eventCauses(object: StoredObject): readonly FieldCause[] {
  const { involvedObject, eventTime = null } = object as {
    readonly involvedObject?: unknown;
    readonly eventTime?: unknown;
  };
  if (eventTime !== null) return reportedEventCauses(object as unknown as Json);
  const namespace = isJson(involvedObject) ? String(involvedObject.namespace ?? '') : '';
  const { namespace: own } = object.metadata;
  const clusterWide = namespace === '' && own === 'default';
  if (namespace === own || clusterWide) return [];
  return [fieldCauses.invalid('involvedObject.namespace', namespace, 'does not match event.namespace')];
}

/** Through events.k8s.io only the series of an event changes (kubernetes, pkg/apis/core/validation/events.go). */
export function changedEventCauses(now: StoredObject, before: StoredObject): readonly FieldCause[] {
  const [next, old] = [now as unknown as Json, before as unknown as Json];
  return [
    ...seriesCauses(next.series),
    ...fixedOfEvent.flatMap(([field, name, shown]) =>
      sameJson(next[name] ?? null, old[name] ?? null)
        ? []
        : [fieldCauses.invalid(field, shown(next[name]), 'field is immutable')],
    ),
  ];
}

function seriesCauses(series: unknown): readonly FieldCause[] {
  if (!isJson(series)) return [];
  const isFew = !(Number(series.count) >= 2);
  return [
    ...(isFew ? [fieldCauses.invalid('series.count', '', 'should be at least 2')] : []),
    ...((series.lastObservedTime ?? null) === null ? [fieldCauses.required('series.lastObservedTime')] : []),
  ];
}

const asText = (value: unknown): unknown => value ?? '';
const asNumber = (value: unknown): unknown => value ?? 0;
const asTime = (value: unknown): unknown => value ?? null;

function asReference(value: unknown): unknown {
  if (!isJson(value)) return value ?? null;
  return {
    Kind: value.kind ?? '',
    Namespace: value.namespace ?? '',
    Name: value.name ?? '',
    UID: value.uid ?? '',
    APIVersion: value.apiVersion ?? '',
    ResourceVersion: value.resourceVersion ?? '',
    FieldPath: value.fieldPath ?? '',
  };
}

function asSource(value: unknown): unknown {
  const { component = '', host = '' }: Json = isJson(value) ? value : {};
  return { Component: component, Host: host };
}

const fixedOfEvent: readonly (readonly [field: string, name: string, shown: (value: unknown) => unknown])[] = [
  ['involvedObject', 'involvedObject', (value) => asReference(value ?? {})],
  ['reason', 'reason', asText],
  ['message', 'message', asText],
  ['source', 'source', asSource],
  ['firstTimestamp', 'firstTimestamp', asTime],
  ['lastTimestamp', 'lastTimestamp', asTime],
  ['count', 'count', asNumber],
  ['type', 'type', asText],
  ['eventTime', 'eventTime', asTime],
  ['action', 'action', asText],
  ['related', 'related', asReference],
  ['reportingController', 'reportingComponent', asText],
  ['reportingInstance', 'reportingInstance', asText],
];

const longest = 128;

function reportedEventCauses({ reportingComponent, reportingInstance, action, reason }: Json): readonly FieldCause[] {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const named = (field: string, value: string) => [
    ...(value === '' ? [fieldCauses.required(field)] : []),
    ...(value.length > longest ? [fieldCauses.invalid(field, '', `can have at most ${longest} characters`)] : []),
  ];
  return [
    ...(text(reportingComponent) === '' ? [fieldCauses.required('reportingComponent')] : []),
    ...qualifiedNameCauses('reportingComponent', text(reportingComponent)),
    ...named('reportingInstance', text(reportingInstance)),
    ...named('action', text(action)),
    ...named('reason', text(reason)),
  ];
}

/** policy/v1 PodDisruptionBudget: at most one of the two, as a count or a percentage. */
export function budgetCauses(spec: Json): readonly FieldCause[] {
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy, selector } = spec;
  const both = {
    MinAvailable: minAvailable,
    Selector: selector ?? null,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
  };
  return [
    ...(minAvailable !== undefined && maxUnavailable !== undefined
      ? [fieldCauses.invalid('spec', both, 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...share('spec.minAvailable', minAvailable),
    ...share('spec.maxUnavailable', maxUnavailable),
    ...oneOf('spec.unhealthyPodEvictionPolicy', unhealthyPodEvictionPolicy, ['AlwaysAllow', 'IfHealthyBudget']),
    ...selectorCauses('spec.selector', selector),
  ];
}

function share(field: string, value: unknown): readonly FieldCause[] {
  const percent = typeof value === 'string' && /^[0-9]+%$/.test(value) ? Number.parseInt(value, 10) : 0;
  const high = percent > 100 ? [fieldCauses.invalid(field, value, 'must not be greater than 100%')] : [];
  return [...countOrPercentage(field, value), ...high];
}

const levels = ['privileged', 'baseline', 'restricted'];

/** The labels that say what its pods may do name a level and a version (k8s.io/pod-security-admission, api). */
function securityLabelCauses(labels: Readonly<Record<string, string>> = {}): readonly FieldCause[] {
  return ['enforce', 'audit', 'warn'].flatMap((mode) => {
    const [key, versionKey] = [`pod-security.kubernetes.io/${mode}`, `pod-security.kubernetes.io/${mode}-version`];
    const [level, version] = [labels[key], labels[versionKey]];
    return [
      ...(level === undefined || levels.includes(level)
        ? []
        : [fieldCauses.invalid(`metadata.labels[${key}]`, level, `must be one of ${levels.join(', ')}`)]),
      ...(version === undefined || /^(latest|v1\.\d+)$/.test(version)
        ? []
        : [fieldCauses.invalid(`metadata.labels[${versionKey}]`, version, 'must be "latest" or "v1.x"')]),
    ];
  });
}

/** The finalizers that keep a namespace until their owners are done. */
function finalizersCauses(finalizers: unknown): readonly FieldCause[] {
  const why = 'name is neither a standard finalizer name nor is it fully qualified';
  return (Array.isArray(finalizers) ? finalizers.map(String) : []).flatMap((one) => [
    ...qualifiedNameCauses('spec.finalizers', one),
    ...(one.includes('/') || ['foregroundDeletion', 'kubernetes', 'orphan'].includes(one)
      ? []
      : [fieldCauses.invalid('spec.finalizers', one, why)]),
  ]);
}

/** core/v1 Namespace: its phase says whether it is being deleted. */
export function namespaceCauses(
  { metadata, spec = {}, status }: StoredObject,
  before: StoredObject | undefined,
): readonly FieldCause[] {
  const wrong = [...finalizersCauses(spec.finalizers), ...securityLabelCauses(metadata.labels)];
  if (wrong.length > 0 || before === undefined || status === before.status) return wrong;
  const marked = metadata.deletionTimestamp !== undefined;
  const [phase, state] = marked ? ['Terminating', 'is not empty'] : ['Active', 'is empty'];
  const why = `may only be '${phase}' if \`deletionTimestamp\` ${state}`;
  return status?.phase === phase ? [] : [fieldCauses.invalid('status.Phase', status?.phase ?? '', why)];
}
