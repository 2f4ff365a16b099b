import { isJson, type Json } from '../../objects/json.ts';
import { subresourceOf } from '../kinds/subresources.ts';
import type { Served } from '../served.ts';
import { wordFor } from './go-values.ts';

/** An apiVersion and a kind. */
export interface TypeName {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A resource, or one of its subresources. */
export interface ResourcePath {
  readonly served: Served;
  readonly subresource?: string | undefined;
}

/** The type of the bodies that are sent there. */
export function typeOf({ served, subresource }: ResourcePath): TypeName {
  const { responseKind } = subresource === undefined ? {} : subresourceOf(served, subresource);
  if (responseKind === undefined) return served;
  const { group, version, kind } = responseKind;
  return { apiVersion: group === '' ? version || 'v1' : `${group}/${version}`, kind };
}

/** The value as an object that may say its type, or why it is none, in the words of Go's encoding/json. */
export function typedObject(value: unknown): { readonly value: Json } | { readonly error: string } {
  if (value !== null && !isJson(value)) {
    const struct =
      'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
    return { error: `json: cannot unmarshal ${wordFor(value)} into Go value of type ${struct}` };
  }
  const wrong = ['apiVersion', 'kind'].find((field) => typeof (value?.[field] ?? '') !== 'string');
  if (wrong === undefined) return { value: value ?? {} };
  return { error: `json: cannot unmarshal ${wordFor(value?.[wrong])} into Go struct field .${wrong} of type string` };
}
