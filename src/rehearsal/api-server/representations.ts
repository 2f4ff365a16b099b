import { type Json, textOf } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import { refusals } from './refusals.ts';
import type { Served } from './served.ts';
import type { WireRequest } from './wire-request.ts';

const known = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'application/*', '*/*'];
const representations = `${known.slice(0, 3).join(', ')}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`;

/** Refuses with 406 an Accept header without any media type of the API. */
export function requireAcceptable(request: WireRequest): void {
  const { accept = '' } = request.headers;
  const types = accept.split(',').map((type) => type.split(';')[0]?.trim() ?? '');
  if (accept === '' || types.some((type) => known.includes(type))) return;
  throw refusals.notAcceptable(request, representations);
}

/** Whether the first choice of an Accept header is the metadata alone (`…;as=PartialObjectMetadata…;g=meta.k8s.io;v=v1`). */
export function wantsPartial(accept: string | undefined): boolean {
  const [first = ''] = (accept ?? '').split(',');
  return (
    /;as=PartialObjectMetadata(List)?(;|$)/.test(first) && first.includes('v=v1') && first.includes('g=meta.k8s.io')
  );
}

/** The metadata of an object as an object of its own (meta/v1 PartialObjectMetadata). */
export function partial({ metadata }: StoredObject): Json {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

/** The text of an item of a list, made from the cached text of the object. Only custom resources repeat their kind and version there. */
export function itemText(served: Served, object: StoredObject): string {
  const text = textOf(object);
  const head = `{"apiVersion":"${object.apiVersion}","kind":"${object.kind}",`;
  if (served.custom) return text;
  return text.startsWith(head)
    ? `{${text.slice(head.length)}`
    : JSON.stringify({ ...object, kind: undefined, apiVersion: undefined });
}
