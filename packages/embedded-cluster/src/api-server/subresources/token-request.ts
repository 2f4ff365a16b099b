import { isJson, type Json } from '../../objects/json.ts';
import { timestamp } from '../../objects/timestamps.ts';
import { type Api, authorize } from '../api.ts';
import { getObject } from '../read.ts';
import { type FieldCause, fieldCauses, refusals } from '../refusals.ts';
import { servedAt } from '../served.ts';
import type { WireRequest } from '../wire-request.ts';

const shortestSeconds = 600;
const longestSeconds = 2 ** 32;
const defaultSeconds = 3600;

/**
 * Answers a TokenRequest for a service account (authentication.k8s.io/v1). The token is the one that the caller has
 * already: the embedded cluster has one user, who may do everything, so an account gets no rights of its own and no
 * token to keep.
 */
export function requestToken(api: Api, request: WireRequest, body: Json): Json {
  authorize(api, request);
  const { metadata } = getObject(api, request);
  const { name, namespace, uid } = metadata;
  const at = { ...request, served: { ...request.served, kind: 'TokenRequest', group: 'authentication.k8s.io' } };
  const sent: Json = isJson(body.metadata) ? body.metadata : {};
  if (sent.name !== undefined && sent.name !== '' && sent.name !== name)
    throw refusals.invalid(at, [
      fieldCauses.invalid('metadata.name', sent.name, 'must match the service account name if specified'),
    ]);
  const { audiences, expirationSeconds: seconds = defaultSeconds, ...spec } = isJson(body.spec) ? body.spec : {};
  const causes = durationCauses(Number(seconds));
  if (causes.length > 0) throw refusals.invalid({ ...at, name: undefined }, causes);
  requireBound(api, request, spec.boundObjectRef);
  const asked = Array.isArray(audiences) && audiences.length > 0 ? audiences : ['https://kubernetes.default.svc'];
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {
      name,
      namespace,
      uid,
      creationTimestamp: api.now(),
      managedFields: [ownerOf(request, api.now(), audiences !== undefined)],
    },
    spec: { audiences: asked, expirationSeconds: seconds, boundObjectRef: spec.boundObjectRef ?? null },
    status: {
      token: (request.headers.authorization ?? '').replace(/^Bearer +/i, ''),
      expirationTimestamp: timestamp(Date.parse(api.now()) + 1000 * Number(seconds)),
    },
  };
}

/** The requester owns the fields of the request. */
const ownerOf = ({ fieldManager }: WireRequest, time: string, hasAudiences: boolean): Json => ({
  manager: fieldManager,
  operation: 'Update',
  apiVersion: 'authentication.k8s.io/v1',
  time,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { ...(hasAudiences && { 'f:audiences': {} }), 'f:expirationSeconds': {} } },
  subresource: 'token',
});

/** The object that a token is bound to exists: a pod or a Secret of the namespace, or a node. */
function requireBound(api: Api, { namespace }: WireRequest, bound: unknown): void {
  if (!isJson(bound)) return;
  const kind = servedAt('v1', boundTo[String(bound.kind)] ?? '');
  if (kind === undefined) return;
  const at = { verb: 'get', served: kind, name: String(bound.name ?? ''), ...(kind.namespaced && { namespace }) };
  if (api.objects.get(kind.collection, at.namespace, at.name) === undefined) throw refusals.notFound(at);
}

const boundTo: Readonly<Record<string, string | undefined>> = { Node: 'nodes', Pod: 'pods', Secret: 'secrets' };

function durationCauses(seconds: number): readonly FieldCause[] {
  const wrong = (why: string) => [fieldCauses.invalid('spec.expirationSeconds', seconds, why)];
  if (seconds < shortestSeconds) return wrong('may not specify a duration less than 10 minutes');
  return seconds > longestSeconds ? wrong('may not specify a duration larger than 2^32 seconds') : [];
}
