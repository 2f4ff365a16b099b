import type { Json } from '../../objects/json.ts';
import { refusals } from '../refusals.ts';
import type { WireRequest } from '../wire-request.ts';
import { parsedBody } from './bodies.ts';
import { decode } from './decode.ts';
import { typedObject } from './type-names.ts';

const definition = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/**
 * The DeleteOptions of a body, none if it is empty; a 500 without a reason if it is something else, as the API server
 * answers.
 */
export function deleteOptions(request: WireRequest): Json {
  if (request.body === undefined || request.body === '') return {};
  const parsed = parsedBody(request, request.body);
  if ('error' in parsed)
    throw refusals.failure(request, 500, `couldn't get version/kind; json parse error: ${parsed.error}`);
  const typed = typedObject(parsed.value);
  if ('error' in typed)
    throw refusals.failure(request, 500, `couldn't get version/kind; json parse error: ${typed.error}`);
  const { value } = typed;
  const { kind = 'DeleteOptions', apiVersion = 'meta.k8s.io/v1' } = value;
  if (kind !== 'DeleteOptions')
    throw refusals.failure(
      request,
      500,
      `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:110"`,
    );
  const { value: options, error } = decode(value, definition);
  if (error !== undefined) throw refusals.failure(request, 500, error);
  return options as Json;
}
