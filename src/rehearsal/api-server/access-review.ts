import { frozen, isJson, type Json } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import type { Api, ApiRequest } from './api.ts';
import { decodedObject } from './create.ts';

/** Answers a SelfSubjectAccessReview (authorization/v1), which is never stored. */
export function reviewAccess(api: Api, request: ApiRequest, body: unknown): StoredObject {
  const review = decodedObject(request, body);
  const attributes: Json = isJson(review.spec?.resourceAttributes) ? review.spec.resourceAttributes : {};
  const text = (key: string) =>
    typeof attributes[key] === 'string' && attributes[key] !== '' ? attributes[key] : undefined;
  const allowed = api.allows(request.user, {
    verb: text('verb') ?? '',
    group: text('group') ?? '',
    resource: text('resource') ?? '',
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name'),
  });
  return frozen({ ...review, status: { allowed } });
}
