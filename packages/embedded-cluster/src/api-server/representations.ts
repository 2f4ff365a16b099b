import { type Json, textOf } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import { refusals } from './refusals.ts';
import type { Served } from './served.ts';
import type { WireRequest } from './wire-request.ts';

const known = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', '*/*'];
const representations = known.slice(0, 3).join(', ');
const watchedRepresentations = `${representations}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`;

/** Refuses with 406 an Accept header without any media type of the API. */
export function requireAcceptable(request: WireRequest): void {
  const { accept = '' } = request.headers;
  if (accept === '') return;
  const types = accept.split(',').map((type) => type.trim());
  const fit = types.filter((type) => known.includes(type.split(';')[0] ?? ''));
  if (fit.length === 0)
    throw refusals.notAcceptable(
      request,
      ['list', 'watch'].includes(request.verb) ? watchedRepresentations : representations,
    );
  if (!fit.some(isKnownTransformation))
    throw refusals.failed(
      request,
      406,
      'NotAcceptable',
      `only the following media types are accepted: ${representations}`,
    );
}

/**
 * Whether the object is wanted as itself, or in one of the forms that the server makes of it
 * (`as=Table;v=v1;g=meta.k8s.io`).
 */
function isKnownTransformation(type: string): boolean {
  const form = /;as=(\w+)/.exec(type)?.[1];
  if (form === undefined) return true;
  const isKnown = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'].includes(form);
  return isKnown && /;v=v1(beta1)?(;|$)/.test(type) && type.includes(';g=meta.k8s.io');
}

/** Whether the first choice of an Accept header is YAML. */
export function wantsYaml(accept = ''): boolean {
  return /^\s*application\/yaml\s*(;|,|$)/.test(accept);
}

/** Refuses with 406 the metadata of a list as that of one object, and the other way round. */
export function requireForm(request: WireRequest, isList: boolean): void {
  const [first = ''] = (request.headers.accept ?? '').split(',');
  const { group, kind } = request.served;
  const type = `*${group === '' ? 'core' : group.split('.')[0]}.${kind}`;
  const refuse = (why: string) => refusals.failed(request, 406, 'NotAcceptable', `you requested ${why}`);
  if (isList && /;as=PartialObjectMetadata(;|$)/.test(first))
    throw refuse(`PartialObjectMetadata, but the requested object is a list (${type}List)`);
  if (!isList && /;as=PartialObjectMetadataList(;|$)/.test(first))
    throw refuse(`PartialObjectMetadataList, but the requested object is not a list (${type})`);
}

/**
 * Whether the first choice of an Accept header is the metadata alone
 * (`…;as=PartialObjectMetadata…;g=meta.k8s.io;v=v1`).
 */
export function wantsPartial(accept: string | undefined): boolean {
  const [first = ''] = (accept ?? '').split(',');
  return (
    /;as=PartialObjectMetadata(List)?(;|$)/.test(first) && first.includes('v=v1') && first.includes('g=meta.k8s.io')
  );
}

/** The metadata of an object as an object of its own (meta/v1 PartialObjectMetadata). */
export function partial(object: StoredObject): Json {
  const { metadata } = withoutTemplateGeneration(object);
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

const templateGeneration = 'deprecated.daemonset.template.generation';

/**
 * Metadata alone, also in a table, is made of the internal version of a DaemonSet, in which this annotation is a field
 * (kubernetes, pkg/apis/apps/v1/conversion.go).
 */
function withoutTemplateGeneration(object: StoredObject): StoredObject {
  const { [templateGeneration]: generation, ...annotations } = object.metadata.annotations ?? {};
  if (generation === undefined) return object;
  const left = Object.keys(annotations).length === 0 ? undefined : annotations;
  return { ...object, metadata: { ...object.metadata, annotations: left } as StoredObject['metadata'] };
}

/**
 * The text of an item of a list, made from the cached text of the object. Only custom resources repeat their kind and
 * version there.
 */
export function itemText(served: Served, object: StoredObject): string {
  const text = textOf(object);
  const head = `{"apiVersion":"${object.apiVersion}","kind":"${object.kind}",`;
  if (served.custom) return text;
  return text.startsWith(head)
    ? `{${text.slice(head.length)}`
    : JSON.stringify({ ...object, kind: undefined, apiVersion: undefined });
}
