import { subresourceOf } from '../kinds/subresources.ts';
import type { Served } from '../served.ts';

/** An apiVersion and a kind. */
export interface TypeName {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A resource, or one of its subresources. */
export interface Place {
  readonly served: Served;
  readonly subresource?: string | undefined;
}

/** The type of the bodies that are sent there. */
export function typeOf({ served, subresource }: Place): TypeName {
  const { responseKind } = subresource === undefined ? {} : subresourceOf(served, subresource);
  if (responseKind === undefined) return served;
  const { group, version, kind } = responseKind;
  return { apiVersion: group === '' ? version || 'v1' : `${group}/${version}`, kind };
}
