import { isJson, type Json } from '../../../objects/json.ts';
import type { StoredObject } from '../../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { formatCauses, formats, oneOf, when } from '../formats.ts';
import { itemsOf } from '../pods/containers.ts';
import { selectorCauses } from '../selectors.ts';
import { conditionCauses, requestRuleCauses } from './matched-requests.ts';

/** admissionregistration.k8s.io/v1 (kubernetes, pkg/apis/admissionregistration/validation). */
export function webhookCauses(object: StoredObject): readonly FieldCause[] {
  return itemsOf(Reflect.get(object, 'webhooks')).flatMap((webhook, index) => {
    const field = `webhooks[${index}]`;
    const { sideEffects, clientConfig, admissionReviewVersions, failurePolicy, matchPolicy, timeoutSeconds } = webhook;
    const { url, service }: Json = isJson(clientConfig) ? clientConfig : {};
    const seconds = Number(timeoutSeconds);
    return [
      ...webhookNameCauses(`${field}.name`, String(webhook.name ?? '')),
      ...itemsOf(webhook.rules).flatMap((rule, place) => requestRuleCauses(rule, `${field}.rules[${place}]`)),
      ...oneOf(`${field}.failurePolicy`, failurePolicy, ['Fail', 'Ignore']),
      ...oneOf(`${field}.matchPolicy`, matchPolicy, ['Equivalent', 'Exact']),
      ...(sideEffects === undefined
        ? [fieldCauses.required(`${field}.sideEffects`, 'must specify one of None, NoneOnDryRun')]
        : oneOf(`${field}.sideEffects`, sideEffects, ['None', 'NoneOnDryRun'])),
      ...when(
        seconds < 1 || seconds > 30,
        fieldCauses.invalid(`${field}.timeoutSeconds`, timeoutSeconds, secondsRange),
      ),
      ...when(
        (url === undefined) === (service === undefined),
        fieldCauses.required(`${field}.clientConfig`, 'exactly one of url or service is required'),
      ),
      ...urlCauses(`${field}.clientConfig.url`, url),
      ...selectorCauses(`${field}.namespaceSelector`, webhook.namespaceSelector),
      ...selectorCauses(`${field}.objectSelector`, webhook.objectSelector),
      ...conditionCauses(itemsOf(webhook.matchConditions), `${field}.matchConditions`),
      ...reviewVersionCauses(`${field}.admissionReviewVersions`, admissionReviewVersions),
    ];
  });
}

const secondsRange = 'the timeout value must be between 1 and 30 seconds';

const desired = 'desired format: https://host[/path]';

/** The refusals show the part of the address that is wrong. */
function urlCauses(field: string, url: unknown): readonly FieldCause[] {
  if (url === undefined) return [];
  const [, scheme = '', host = ''] = /^(?:([a-z][a-z\d+.-]*):)?(?:\/\/([^/?#]*))?/i.exec(String(url)) ?? [];
  return [
    ...when(
      scheme !== 'https',
      fieldCauses.invalid(field, scheme, `'https' is the only allowed URL scheme; ${desired}`),
    ),
    ...when(host === '', fieldCauses.invalid(field, '', `host must be specified; ${desired}`)),
  ];
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
