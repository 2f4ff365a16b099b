import { isJson, type Json } from '../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { when } from '../validation/formats.ts';

const field = 'metadata.ownerReferences';

/**
 * The errors in the owners of an object; the refusals do not say which of them it is (apimachinery, pkg/api/validation,
 * ValidateOwnerReferences).
 */
export function ownerCauses(owners: readonly Json[]): readonly FieldCause[] {
  const controllers = owners.filter(({ controller }) => controller === true);
  const [first, second] = controllers.map(({ kind, name }) => `${kind}/${name}`);
  const both = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
  return [...owners.flatMap(ofOne), ...when(second !== undefined, fieldCauses.invalid(field, owners.map(shown), both))];
}

function ofOne(owner: Json): readonly FieldCause[] {
  const { apiVersion = '', kind = '', name = '', uid = '' } = owner;
  const parts = String(apiVersion).split('/');
  const isVersion = apiVersion !== '' && parts.length < 3 && parts.at(-1) !== '';
  const empty = (key: string, value: unknown) =>
    when(value === '', fieldCauses.invalid(`${field}.${key}`, '', 'must not be empty'));
  const isEvent = apiVersion === 'v1' && kind === 'Event';
  return [
    ...when(!isVersion, fieldCauses.invalid(`${field}.apiVersion`, apiVersion, 'version must not be empty')),
    ...empty('kind', kind),
    ...empty('name', name),
    ...empty('uid', uid),
    ...when(isEvent, fieldCauses.invalid(field, shown(owner), '/v1, Kind=Event is disallowed from being an owner')),
  ];
}

/** In the order of its type. */
const shown = ({ apiVersion = '', kind = '', name = '', uid = '', ...rest }: Json): Json => ({
  apiVersion,
  kind,
  name,
  uid,
  ...rest,
});

/**
 * The owners once each, and what a client is warned of that sent one twice (apiserver,
 * pkg/endpoints/handlers/create.go, dedupOwnerReferences).
 */
export function withoutRepeatedOwners<T extends { readonly metadata: Json }>(
  object: T,
): { readonly object: T; readonly warnings: readonly string[] } {
  const { ownerReferences } = object.metadata;
  const owners = Array.isArray(ownerReferences) ? ownerReferences : [];
  const texts = owners.map((one) => JSON.stringify(isJson(one) ? shown(one) : one));
  const once = owners.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
  if (once.length === owners.length) return { object, warnings: [] };
  const repeated = owners.filter((_, index) => texts.indexOf(texts[index] ?? '') < index).map((one) => one?.uid);
  const why =
    '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ';
  const metadata = { ...object.metadata, ownerReferences: once };
  return { object: { ...object, metadata }, warnings: [why + [...new Set(repeated)].join(', ')] };
}
