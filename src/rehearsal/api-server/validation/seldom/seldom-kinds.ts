import { isJson, type Json } from '../../../objects/json.ts';
import type { StoredObject } from '../../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { immutable } from '../../strategies/validation.ts';
import { formatCauses, formats, isUnset, oneOf, when } from '../formats.ts';
import { itemsOf } from '../pods/containers.ts';

const membersOf = (object: StoredObject): Json => object as unknown as Json;

/** node.k8s.io/v1 RuntimeClass (kubernetes, pkg/apis/node/validation). */
export function runtimeClassCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const { handler } = membersOf(object);
  const changed = before === undefined ? [] : immutable('handler', handler, membersOf(before).handler);
  return [...changed, ...formatCauses('handler', handler ?? '', formats.label)];
}

/** storage.k8s.io/v1 CSINode (kubernetes, pkg/apis/storage/validation). */
export function csiNodeCauses({ spec = {} }: StoredObject): readonly FieldCause[] {
  const drivers = itemsOf(spec.drivers);
  const names = drivers.map(({ name }) => String(name ?? ''));
  return drivers.flatMap(({ nodeID }, index) => {
    const [field, name] = [`spec.drivers[${index}]`, names[index] ?? ''];
    return [
      ...when(name === '', fieldCauses.required(`${field}.name`)),
      ...when(isUnset(nodeID), fieldCauses.required(`${field}.nodeID`)),
      ...when(names.indexOf(name) < index, fieldCauses.duplicate(`${field}.name`, name)),
    ];
  });
}

/** flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration (kubernetes, pkg/apis/flowcontrol/validation). */
export function priorityLevelCauses({ metadata, spec = {} }: StoredObject): readonly FieldCause[] {
  const { type = '' } = spec;
  const isOther = (type === 'Exempt') !== (metadata.name === 'exempt');
  return [
    ...when(isOther, fieldCauses.invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'")),
    ...oneOf('spec.type', type, ['Exempt', 'Limited']),
  ];
}

/** certificates.k8s.io/v1 CertificateSigningRequest (kubernetes, pkg/apis/certificates/validation); the request itself is not read. */
export function signingRequestCauses({ spec = {} }: StoredObject): readonly FieldCause[] {
  const { request, signerName, usages } = spec;
  const text = atob(String(request ?? ''));
  const block = 'PEM block type must be CERTIFICATE REQUEST';
  const isPem = text.includes('-----BEGIN CERTIFICATE REQUEST-----');
  return [
    ...when(!isPem, fieldCauses.invalid('spec.request', request ?? '', block)),
    ...when(itemsOf(usages).length === 0 && !Array.isArray(usages), fieldCauses.required('spec.usages')),
    ...when(isUnset(signerName), fieldCauses.required('spec.signerName')),
  ];
}

/** admissionregistration.k8s.io/v1 (kubernetes, pkg/apis/admissionregistration/validation). */
export function webhookCauses(object: StoredObject): readonly FieldCause[] {
  return itemsOf(membersOf(object).webhooks).flatMap((webhook, index) => {
    const field = `webhooks[${index}]`;
    const { sideEffects, clientConfig, admissionReviewVersions, failurePolicy, matchPolicy, timeoutSeconds } = webhook;
    const { url, service }: Json = isJson(clientConfig) ? clientConfig : {};
    const seconds = Number(timeoutSeconds);
    return [
      ...webhookNameCauses(`${field}.name`, String(webhook.name ?? '')),
      ...oneOf(`${field}.failurePolicy`, failurePolicy, ['Fail', 'Ignore']),
      ...oneOf(`${field}.matchPolicy`, matchPolicy, ['Equivalent', 'Exact']),
      ...when(
        isUnset(sideEffects),
        fieldCauses.required(`${field}.sideEffects`, 'must specify one of None, NoneOnDryRun'),
      ),
      ...(isUnset(sideEffects) ? [] : oneOf(`${field}.sideEffects`, sideEffects, ['None', 'NoneOnDryRun'])),
      ...when(
        seconds < 1 || seconds > 30,
        fieldCauses.invalid(`${field}.timeoutSeconds`, timeoutSeconds, secondsRange),
      ),
      ...when(
        (url === undefined) === (service === undefined),
        fieldCauses.required(`${field}.clientConfig`, 'exactly one of url or service is required'),
      ),
      ...urlCauses(`${field}.clientConfig.url`, url),
      ...reviewVersionCauses(`${field}.admissionReviewVersions`, admissionReviewVersions),
    ];
  });
}

const secondsRange = 'the timeout value must be between 1 and 30 seconds';

function urlCauses(field: string, url: unknown): readonly FieldCause[] {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(String(url ?? ''))?.[1];
  if (scheme === undefined || scheme === 'https') return [];
  const why = "'https' is the only allowed URL scheme; desired format: https://host[/path]";
  return [fieldCauses.invalid(field, scheme, why)];
}

function webhookNameCauses(field: string, name: string): readonly FieldCause[] {
  if (name === '') return [fieldCauses.required(field)];
  const causes = formatCauses(field, name, formats.subdomain);
  const why = 'should be a domain with at least three segments separated by dots';
  return causes.length > 0 || name.split('.').length > 2 ? causes : [fieldCauses.invalid(field, name, why)];
}

function reviewVersionCauses(field: string, versions: unknown): readonly FieldCause[] {
  const list = Array.isArray(versions) ? versions : [];
  if (list.length === 0) return [fieldCauses.required(field, 'must specify one of v1, v1beta1')];
  const isKnown = list.some((one) => one === 'v1' || one === 'v1beta1');
  return isKnown ? [] : [fieldCauses.invalid(field, list, 'must include at least one of v1, v1beta1')];
}
