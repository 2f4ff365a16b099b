import type { Patch } from '../../../cluster/cluster.ts';
import type { Json } from '../../objects/json.ts';
import type { ApiRequest } from '../api.ts';
import { withoutNulls } from '../create.ts';
import { refusals } from '../refusals.ts';
import { shapeOf } from '../shapes.ts';
import { jsonPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';
import { strategicMergePatch } from './strategic-merge-patch.ts';

/** The object after the patch. A strategic patch of a custom resource is a 415, a JSON patch that does not apply a 422. */
export function patched<T extends Json>(request: ApiRequest, object: T, patch: Patch): T {
  const { served, subresource } = request;
  if (patch.type === 'merge') return mergePatch(object, patch.value) as T;
  if (patch.type === 'json') {
    const outcome = jsonPatch(object, patch.value);
    if (outcome === undefined) throw refusals.unprocessable(request);
    return withoutNulls(outcome.value) as T;
  }
  if (served.custom)
    throw refusals.unsupportedMediaType(
      request,
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
  return strategicMergePatch(object, patch.value, subresource === 'scale' ? {} : shapeOf(served)) as T;
}
