import type { Patch } from '../kubernetes/cluster.ts';
import type { Json } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import { isReview, reviewAccess } from './access-review.ts';
import { type Api, type ApiRequest, authorize } from './api.ts';
import { applyObject } from './apply.ts';
import { createObject, requireNamed, requireSamePlace } from './create.ts';
import { type Deleted, type Deletion, deleteObject } from './delete.ts';
import { evictPod } from './evict.ts';
import { patched } from './patches/patch.ts';
import { getObject } from './read.ts';
import { renewed } from './renewal.ts';
import { changeScale, readScale, scaleOf, workloadOf } from './scale.ts';
import { changeObject, replaceObject } from './update.ts';

/** The verbs on one object, over HTTP and for controllers. A refusal is an `ApiError`. */
export const verbs = {
  get: (api: Api, request: ApiRequest): Json => {
    authorize(api, request);
    const object = getObject(api, request);
    return request.subresource === 'scale' ? readScale(request, object) : object;
  },
  create: (api: Api, request: ApiRequest, body: unknown): Json => {
    authorize(api, request);
    if (isReview(request)) return reviewAccess(api, request, body);
    return createObject(api, request, body);
  },
  update: (api: Api, request: ApiRequest, body: unknown): Json => {
    authorize(api, request);
    return request.subresource === 'scale' ? changeScale(api, request, () => body) : replaceObject(api, request, body);
  },
  patch: (api: Api, request: ApiRequest, patch: Patch): Json => {
    authorize(api, request);
    const decoded = request.decoded ?? ((value: Json) => value);
    const current = getObject(api, request);
    if (request.subresource === 'scale') {
      readScale(request, current);
      return changeScale(api, request, (scale) => decoded(patched(request, scale, patch)));
    }
    const next = decoded(patched(request, current, patch)) as StoredObject;
    // A controller states its whole status again and again: a third of its patches change nothing.
    if (next === current && request.decoded === undefined) return current;
    const renewal = renewed(request, api.now(), current, next);
    if (renewal !== undefined) return api.objects.put(renewal);
    requireNamed(request, next.metadata as unknown as Json);
    requireSamePlace(request, next);
    return changeObject(api, request, current, next);
  },
  apply: (api: Api, request: ApiRequest, body: unknown, force: boolean): Json => {
    authorize(api, request);
    if (request.subresource !== 'scale') return applyObject(api, request, body, force);
    const applied = applyObject(api, request, workloadOf(getObject(api, request), body), force);
    return scaleOf(applied, request.served);
  },
  delete: (api: Api, request: ApiRequest, deletion: Deletion): Deleted => {
    authorize(api, request);
    return deleteObject(api, request, deletion);
  },
  evict: (api: Api, request: ApiRequest, deletion: Deletion): void => {
    authorize(api, request);
    evictPod(api, request, deletion);
  },
} as const;
