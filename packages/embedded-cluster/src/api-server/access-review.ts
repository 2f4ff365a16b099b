import { frozen, isJson, type Json } from '../objects/json.ts';
import type { StoredMetadata, StoredObject } from '../objects/objects.ts';
import type { Api, ApiRequest } from './api.ts';
import { decodedObject } from './create.ts';
import { withUpdate } from './managed-fields/managed-fields.ts';
import { type FieldCause, fieldCauses, refusals } from './refusals.ts';

/** What the groups of every authenticated user are; the one user of a kubeconfig is an administrator. */
const groups = ['system:masters', 'system:authenticated'];

/**
 * The kinds that are answered and never stored (authorization.k8s.io/v1, authentication.k8s.io/v1), with what they
 * answer.
 */
const answers: Readonly<Record<string, (api: Api, request: ApiRequest, spec: Json) => Json>> = {
  LocalSubjectAccessReview: allowedToSubject,
  SelfSubjectAccessReview: (api, request, spec) => ({ allowed: allowed(api, request.user, spec) }),
  SelfSubjectReview: (_, { user }) => ({ userInfo: { username: user, groups } }),
  SelfSubjectRulesReview: () => rulesOfAll,
  SubjectAccessReview: allowedToSubject,
  TokenReview: () => ({ user: {}, error: 'invalid bearer token' }),
};

const everywhere = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
const discovered = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/openapi',
  '/openapi/*',
  '/readyz',
  '/version',
  '/version/',
];

/**
 * The rules of system:masters with those of every user (the roles system:basic-user, system:discovery and
 * system:public-info-viewer).
 */
const rulesOfAll: Json = {
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    {
      verbs: ['create'],
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
    },
    { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
  ],
  nonResourceRules: [
    { verbs: ['get'], nonResourceURLs: discovered },
    { verbs: ['get'], nonResourceURLs: everywhere },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ],
  incomplete: false,
};

/** Whether an object of the kind is a question that is answered and not stored. */
export function isReview({ served: { group, kind } }: ApiRequest): boolean {
  return group.startsWith('auth') && kind in answers;
}

/** Answers a review. */
export function reviewAccess(api: Api, request: ApiRequest, body: unknown): StoredObject {
  const { apiVersion, kind, metadata, spec } = decodedObject(request, body);
  const { name, ...unnamed } = metadata;
  const sent = { apiVersion, kind, metadata: name === '' ? unnamed : metadata, ...(spec && { spec }) } as StoredObject;
  const review = withUpdate(request, api.now(), undefined, { object: sent, owned: sent });
  requireQuestion(request, spec ?? {});
  const causes = kind.endsWith('AccessReview')
    ? [...subjectCauses(kind, spec ?? {}), ...placeCauses(review), ...reviewCauses(review)]
    : [];
  const nameless = { ...request, name: undefined, served: { ...request.served, kind: '' } };
  if (causes.length > 0) throw refusals.invalid(nameless, causes);
  return frozen(answered(api, request, review));
}

/** The question with its answer. */
function answered(api: Api, request: ApiRequest, review: StoredObject): StoredObject {
  const { kind, spec = {}, metadata } = review;
  const status = answers[kind]?.(api, request, spec) ?? {};
  if (kind === 'SelfSubjectRulesReview') return { ...review, spec: {}, metadata: {} as StoredMetadata, status };
  const created = kind === 'SelfSubjectReview' ? { creationTimestamp: api.now() } : {};
  return { ...review, metadata: { ...metadata, ...created }, status };
}

/**
 * Two reviews are refused with 400 if they ask nothing (kubernetes, pkg/registry/authorization,
 * pkg/registry/authentication).
 */
function requireQuestion(request: ApiRequest, { namespace = '', token = '' }: Json): void {
  const { kind } = request.served;
  if (kind === 'SelfSubjectRulesReview' && namespace === '')
    throw refusals.badRequest(request, 'no namespace on request');
  if (kind === 'TokenReview' && token === '')
    throw refusals.badRequest(request, 'token is required for TokenReview in authentication');
}

function subjectCauses(kind: string, { user = '', groups }: Json): readonly FieldCause[] {
  const isOfCaller = kind === 'SelfSubjectAccessReview';
  const named = user !== '' || (Array.isArray(groups) && groups.length > 0);
  return isOfCaller || named ? [] : [invalid('user', '', 'at least one of user or group must be specified')];
}

/** A local question is about its own namespace. */
function placeCauses({ kind, metadata, spec = {} }: StoredObject): readonly FieldCause[] {
  const { resourceAttributes: about } = spec;
  if (kind !== 'LocalSubjectAccessReview' || !isJson(about) || about.namespace === metadata.namespace) return [];
  return [invalid('resourceAttributes.namespace', about.namespace ?? '', 'must match metadata.namespace')];
}

/** The caller and the group system:masters may do what the caller may; nobody else is known here. */
function allowedToSubject(api: Api, request: ApiRequest, spec: Json): Json {
  const { user = '', groups: ofUser = [] } = spec;
  const isMaster = Array.isArray(ofUser) && ofUser.includes('system:masters');
  return { allowed: (user === request.user || isMaster) && allowed(api, request.user, spec) };
}

/** kubernetes, pkg/apis/authorization/validation. */
function reviewCauses({ metadata, spec = {} }: StoredObject): readonly FieldCause[] {
  const { managedFields, ...own } = metadata;
  const { resourceAttributes, nonResourceAttributes } = spec;
  return [
    ...(resourceAttributes === undefined && nonResourceAttributes === undefined
      ? [
          invalid(
            'resourceAttributes',
            null,
            'exactly one of nonResourceAttributes or resourceAttributes must be specified',
          ),
        ]
      : []),
    ...(resourceAttributes !== undefined && isJson(nonResourceAttributes)
      ? [
          invalid(
            'nonResourceAttributes',
            { Path: nonResourceAttributes.path, Verb: nonResourceAttributes.verb },
            'cannot be specified in combination with resourceAttributes',
          ),
        ]
      : []),
    ...(Object.keys(own).some((key) => key !== 'namespace')
      ? [fieldCauses.invalid('metadata', { ...own, managedFields }, 'must be empty')]
      : []),
  ];
}

function invalid(field: string, value: unknown, why: string): FieldCause {
  return fieldCauses.invalid(`spec.${field}`, value, why);
}

function allowed(api: Api, user: string, { resourceAttributes }: Json): boolean {
  const attributes: Json = isJson(resourceAttributes) ? resourceAttributes : {};
  const text = (key: string) =>
    typeof attributes[key] === 'string' && attributes[key] !== '' ? attributes[key] : undefined;
  return api.allows(user, {
    verb: text('verb') ?? '',
    group: text('group') ?? '',
    resource: text('resource') ?? '',
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name'),
  });
}
