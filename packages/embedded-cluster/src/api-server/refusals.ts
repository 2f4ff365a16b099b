import { ApiError, type StatusCause, type StatusDetails } from '../kubernetes/cluster.ts';
import { resourceName, type Served } from './served.ts';

/** What a request is about, as the message of a refusal names it. */
export interface RefusalSubject {
  readonly verb: string;
  readonly served: Served;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

export type FieldCause = Required<StatusCause>;

/** The errors of the API server, with its messages (apimachinery, pkg/api/errors). */
export const refusals = {
  badRequest: (at: RefusalSubject, message: string) => refusal(at, 400, 'BadRequest', message),
  forbidden: (at: RefusalSubject, why: string, causes?: readonly StatusCause[]) =>
    refusal(at, 403, 'Forbidden', `${at.name ? quoted(at) : resourceName(at.served)} is forbidden: ${why}`, {
      ...details(at),
      ...(causes && { causes }),
    }),
  notFound: (at: RefusalSubject) => refusal(at, 404, 'NotFound', `${quoted(at)} not found`, details(at)),
  methodNotAllowed: (at: RefusalSubject) =>
    refusal(at, 405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),
  notCreatable: (at: RefusalSubject) => {
    const why = `create is not supported on resources of kind ${JSON.stringify(resourceName(at.served))}`;
    return refusal(at, 405, 'MethodNotAllowed', why, details(at));
  },
  notAcceptable: (at: RefusalSubject, representations: string) =>
    refusal(at, 406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${representations}`, {}),
  alreadyExists: (at: RefusalSubject) => refusal(at, 409, 'AlreadyExists', `${quoted(at)} already exists`, details(at)),
  /** The drawn name of an object with `generateName` is taken. */
  notGenerated: (at: RefusalSubject) => {
    const why = `${quoted(at)} already exists, the server was not able to generate a unique name for the object`;
    return refusal(at, 409, 'AlreadyExists', why, { ...details(at), retryAfterSeconds: 1 });
  },
  conflict: (at: RefusalSubject, why: string) =>
    refusal(at, 409, 'Conflict', `Operation cannot be fulfilled on ${quoted(at)}: ${why}`, details(at)),
  modified: (at: RefusalSubject) =>
    refusals.conflict(
      at,
      'the object has been modified; please apply your changes to the latest version and try again',
    ),
  applyConflict: (at: RefusalSubject, message: string, causes: readonly StatusCause[]) =>
    refusal(at, 409, 'Conflict', message, { causes }),
  versionTooLarge: (at: RefusalSubject, wanted: number, current: number) =>
    refusal(at, 504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    }),
  expired: (at: RefusalSubject, message: string) => refusal(at, 410, 'Expired', message),
  unsupportedMediaType: (at: RefusalSubject, message: string, more?: StatusDetails) =>
    refusal(at, 415, 'UnsupportedMediaType', message, more),
  invalid: (at: RefusalSubject, causes: readonly FieldCause[]) => {
    const { kind: _, ...place } = details(at);
    const { kind } = at.served;
    return refusal(at, 422, 'Invalid', invalidMessage(at, causes), { ...place, ...(kind !== '' && { kind }), causes });
  },
  /** For a patch after which the object, shown as text, is no longer of its type. */
  invalidPatch: (at: RefusalSubject, shown: string, why: string) => {
    const wrong = fieldCauses.invalid('patch', shown, why);
    return refusal(at, 422, 'Invalid', ` "" is invalid: patch: ${wrong.message}`, { causes: [wrong] });
  },
  /** For a JSON patch that does not apply. The server does not say which operation failed. */
  unprocessable: (at: RefusalSubject) =>
    refusal(at, 422, 'Invalid', 'the server rejected our request due to an error in our request', {}),
  tooManyRequests: (at: RefusalSubject, message: string, cause: StatusCause, retryAfterSeconds: number) =>
    refusal(at, 429, 'TooManyRequests', message, {
      causes: [cause],
      ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
    }),
  failed: (at: RefusalSubject, status: number, reason: string, message: string) => refusal(at, status, reason, message),
  /** A Status without a reason. */
  failure: (at: RefusalSubject, status: number, message: string) => refusal(at, status, '', message),
  internal: (at: RefusalSubject, message: string) =>
    refusal(at, 500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] }),
} as const;

/** The causes of a 422, with the messages of field.Error (apimachinery, pkg/util/validation/field). */
export const fieldCauses = {
  required: (field: string, why = ''): FieldCause => cause('FieldValueRequired', field, 'Required value', why),
  invalid: (field: string, value: unknown, why: string): FieldCause =>
    cause('FieldValueInvalid', field, `Invalid value: ${shown(field, value ?? null)}`, why),
  unsupported: (field: string, value: unknown, supported: readonly string[]): FieldCause =>
    cause(
      'FieldValueNotSupported',
      field,
      `Unsupported value: ${shown(field, value)}`,
      `supported values: ${supported.map((one) => `"${one}"`).join(', ')}`,
    ),
  forbidden: (field: string, why: string): FieldCause => cause('FieldValueForbidden', field, 'Forbidden', why),
  tooLong: (field: string, bytes: number): FieldCause =>
    cause('FieldValueTooLong', field, 'Too long', `may not be more than ${bytes} bytes`),
  tooMany: (field: string, count: number, limit: number): FieldCause =>
    cause('FieldValueTooMany', field, `Too many: ${count}`, `must have at most ${limit} items`),
  duplicate: (field: string, value: unknown, why = ''): FieldCause =>
    cause('FieldValueDuplicate', field, `Duplicate value: ${JSON.stringify(value)}`, why),
  notFound: (field: string, value: unknown, why = ''): FieldCause =>
    cause('FieldValueNotFound', field, `Not found: ${JSON.stringify(value)}`, why),
} as const;

/** A value as JSON; Go writes the keys of a map of labels in their order. */
function shown(field: string, value: unknown): string {
  const isLabels = (key: string) => key === 'matchLabels' || (key === '' && /(labels|capacity)$/.test(field));
  return JSON.stringify(value, (key, member: unknown) => (isLabels(key) ? inOrder(member) : member));
}

function inOrder(map: unknown): unknown {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return map;
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function cause(reason: string, field: string, what: string, why: string): FieldCause {
  return { reason, message: why === '' ? what : `${what}: ${why}`, field };
}

function invalidMessage(at: RefusalSubject, causes: readonly FieldCause[]): string {
  const { kind, group } = at.served;
  const each = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const all = each.length === 1 ? each[0] : `[${each.join(', ')}]`;
  return `${kind}${group === '' ? '' : `.${group}`} "${at.name ?? ''}" is invalid: ${all}`;
}

function quoted(at: RefusalSubject): string {
  return `${resourceName(at.served)} "${at.name ?? ''}"`;
}

function details(at: RefusalSubject): StatusDetails {
  const { group, plural } = at.served;
  return {
    ...(at.name !== undefined && at.name !== '' && { name: at.name }),
    ...(group !== '' && { group }),
    kind: plural,
  };
}

function refusal(at: RefusalSubject, status: number, reason: string, message: string, more?: StatusDetails): ApiError {
  const on = [at.served.kind, [at.namespace, at.name].filter((part) => part !== undefined).join('/')].join(' ');
  return new ApiError({ tried: at.verb, on, status, reason, message, ...(more && { details: more }) });
}
