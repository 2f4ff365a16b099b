import { isJson, type Json } from '../../../objects/json.ts';
import type { StoredObject } from '../../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { immutable } from '../../strategies/validation.ts';
import { between, formatCauses, formats, isUnset, labelCauses, oneOf, when } from '../formats.ts';
import { itemsOf } from '../pods/containers.ts';
import { tolerationCauses } from '../pods/tolerations.ts';
import { jsonOf } from './matched-requests.ts';

const membersOf = (object: StoredObject): Json => object as unknown as Json;

/** node.k8s.io/v1 RuntimeClass (kubernetes, pkg/apis/node/validation). */
export function runtimeClassCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const { handler, scheduling } = membersOf(object);
  const { nodeSelector, tolerations } = jsonOf(scheduling);
  const changed = before === undefined ? [] : immutable('handler', handler, membersOf(before).handler);
  return [
    ...changed,
    ...formatCauses('handler', handler ?? '', formats.label),
    ...labelCauses('scheduling.nodeSelector', nodeSelector),
    ...tolerationCauses(itemsOf(tolerations), 'scheduling.tolerations.tolerations'),
  ];
}

/** flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration (kubernetes, pkg/apis/flowcontrol/validation). */
export function priorityLevelCauses({ metadata, spec = {} }: StoredObject): readonly FieldCause[] {
  const { type = '', limited, exempt } = spec;
  const isOther = (type === 'Exempt') !== (metadata.name === 'exempt');
  const unlimited = fieldCauses.required('spec.limited', 'must not be empty when type is Limited');
  const ofLimited = isJson(limited) ? limitedCauses(limited, 'spec.limited') : [unlimited];
  return [
    ...when(isOther, fieldCauses.invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'")),
    ...oneOf('spec.type', type, ['Exempt', 'Limited']),
    ...when(
      type === 'Limited' && isJson(exempt),
      fieldCauses.forbidden('spec.exempt', 'must be nil if the type is Limited'),
    ),
    ...(type === 'Limited' ? ofLimited : []),
  ];
}

function limitedCauses(limited: Json, field: string): readonly FieldCause[] {
  const { nominalConcurrencyShares: shares, lendablePercent: lent, borrowingLimitPercent: borrowed } = limited;
  const { type = '', queuing } = jsonOf(limited.limitResponse);
  const at = `${field}.limitResponse`;
  const unqueued = 'must be nil if limited.limitResponse.type is not Limited';
  const less = (value: unknown) => typeof value === 'number' && value < 0;
  const borrowing = 'if specified, must be a non-negative integer';
  return [
    ...when(
      less(shares),
      fieldCauses.invalid(`${field}.nominalConcurrencyShares`, shares, 'must be a non-negative integer'),
    ),
    ...oneOf(`${at}.type`, type, ['Queue', 'Reject']),
    ...when(type === 'Reject' && isJson(queuing), fieldCauses.forbidden(`${at}.queuing`, unqueued)),
    ...when(
      type === 'Queue' && !isJson(queuing),
      fieldCauses.required(`${at}.queuing`, 'must not be empty if limited.limitResponse.type is Limited'),
    ),
    ...between(`${field}.lendablePercent`, lent, 0, 100),
    ...when(less(borrowed), fieldCauses.invalid(`${field}.borrowingLimitPercent`, borrowed, borrowing)),
  ];
}

/** flowcontrol.apiserver.k8s.io/v1 FlowSchema; its rules are not looked at. */
export function flowSchemaCauses({ metadata, spec = {} }: StoredObject): readonly FieldCause[] {
  const { matchingPrecedence: precedence, priorityLevelConfiguration, distinguisherMethod } = spec;
  const { name } = jsonOf(priorityLevelConfiguration);
  const field = 'spec.matchingPrecedence';
  const exempt = "only the schema named 'exempt' may have matchingPrecedence 1";
  const level = 'spec.priorityLevelConfiguration.name';
  const { type = '' } = jsonOf(distinguisherMethod);
  const isFirst = precedence === 1 && metadata.name !== 'exempt';
  return [
    ...when(Number(precedence) <= 0, fieldCauses.invalid(field, precedence, 'must be a positive value')),
    ...when(Number(precedence) > 10_000, fieldCauses.invalid(field, precedence, 'must not be greater than 10000')),
    ...when(isFirst, fieldCauses.invalid(field, 1, exempt)),
    ...(isJson(distinguisherMethod) && type !== 'ByNamespace' && type !== 'ByUser'
      ? [fieldCauses.unsupported('spec.distinguisherMethod.type', { Type: type }, ['ByNamespace', 'ByUser'])]
      : []),
    ...(isUnset(name)
      ? [fieldCauses.required(level, 'must reference a priority level')]
      : formatCauses(level, name, formats.subdomain)),
  ];
}

/**
 * certificates.k8s.io/v1 CertificateSigningRequest (kubernetes, pkg/apis/certificates/validation); the request itself
 * is not read.
 */
export function signingRequestCauses({ spec = {} }: StoredObject): readonly FieldCause[] {
  const { request, signerName, usages } = spec;
  const text = atob(String(request ?? ''));
  const block = 'PEM block type must be CERTIFICATE REQUEST';
  const isPem = text.includes('-----BEGIN CERTIFICATE REQUEST-----');
  return [
    ...when(!isPem, fieldCauses.invalid('spec.request', request ?? null, block)),
    ...when(itemsOf(usages).length === 0 && !Array.isArray(usages), fieldCauses.required('spec.usages')),
    ...when(isUnset(signerName), fieldCauses.required('spec.signerName')),
  ];
}
