import { frozen, isJson, type Json } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import type { Api, ApiRequest } from './api.ts';
import { decoded } from './create.ts';

/** authorization/v1 SelfSubjectAccessReview: answered, never stored. */
export function reviewAccess(api: Api, request: ApiRequest, body: unknown): StoredObject {
  const review = decoded(request, body);
  const asked: Json = isJson(review.spec?.resourceAttributes) ? review.spec.resourceAttributes : {};
  const text = (key: string) => (typeof asked[key] === 'string' && asked[key] !== '' ? asked[key] : undefined);
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
