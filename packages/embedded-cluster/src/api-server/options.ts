import type { Json } from '../objects/json.ts';
import { type FieldCause, fieldCauses, type RefusalSubject, refusals } from './refusals.ts';
import type { WireRequest } from './wire-request.ts';

/**
 * Refuses a request whose options are not what meta/v1 allows: numbers that are none with 400, values that are none
 * with 422 (apimachinery, pkg/apis/meta/v1/validation).
 */
export function requireOptions(request: WireRequest): void {
  requireDuration(request);
  for (const name of ['limit', 'timeoutSeconds', 'gracePeriodSeconds']) requireNumber(request, name);
  if (request.verb === 'list' || request.verb === 'watch') requireListOptions(request);
  const kind = optionsKinds[request.verb];
  if (kind !== undefined)
    refuse(request, kind, [
      ...propagationCauses(request),
      ...dryRunCauses(request.query.getAll('dryRun')),
      ...writeCauses(request),
    ]);
}

const optionsKinds: Readonly<Record<string, string>> = {
  create: 'CreateOptions',
  delete: 'DeleteOptions',
  deletecollection: 'DeleteOptions',
  patch: 'PatchOptions',
  update: 'UpdateOptions',
};

/** `timeout`, of every request but a watch, is a duration of Go. */
function requireDuration(request: WireRequest): void {
  const text = request.query.get('timeout') ?? '';
  if (text === '' || request.verb === 'watch') return;
  const [, number = '', unit] = /^[-+]?([\d.]+)([^\d.]*)/.exec(text) ?? [];
  const isWhole = /^[-+]?(0|(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h))+$/.test(text);
  if (isWhole) return;
  const quoted = JSON.stringify(text);
  const why =
    number === ''
      ? `invalid duration ${quoted}`
      : unit === ''
        ? `missing unit in duration ${quoted}`
        : `unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
  throw refusals.badRequest(request, `invalid timeout specified in the request URL - time: ${why}`);
}

function requireNumber(request: WireRequest, name: string): void {
  const text = request.query.get(name);
  if (text === null || text === '' || /^[+-]?\d+$/.test(text)) return;
  throw refusals.badRequest(request, `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** Refuses a server-side apply that does not say who applies. */
export function requireManager(request: WireRequest): void {
  if (request.query.get('fieldManager')) return;
  refuse(request, 'PatchOptions', [fieldCauses.required('fieldManager', 'is required for apply patch')]);
}

function refuse(request: WireRequest, kind: string, causes: readonly FieldCause[]): void {
  if (causes.length === 0) return;
  const served = { ...request.served, kind, group: 'meta.k8s.io' };
  throw refusals.invalid({ verb: request.verb, served } satisfies RefusalSubject, causes);
}

function dryRunCauses(values: readonly unknown[]): readonly FieldCause[] {
  if (values.every((value) => value === 'All')) return [];
  return [fieldCauses.unsupported('dryRun', values, ['All'])];
}

const fieldValidations = ['', 'Ignore', 'Strict', 'Warn'];
const longestManager = 128;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

function writeCauses({ verb, query, headers }: WireRequest): readonly FieldCause[] {
  const isApply = headers['content-type']?.startsWith('application/apply-patch+') === true;
  const manager = query.get('fieldManager') ?? '';
  const validation = query.get('fieldValidation') ?? '';
  const unprintable = /^[\w.-]*$/.test(manager)
    ? -1
    : [...manager].findIndex((character) => !printable.test(character));
  return [
    ...(verb === 'patch' && !isApply && query.has('force')
      ? [fieldCauses.forbidden('force', 'may not be specified for non-apply patch')]
      : []),
    ...(manager.length > longestManager ? [fieldCauses.tooLong('fieldManager', longestManager)] : []),
    ...(unprintable === -1 ? [] : [unprintableCause(manager, unprintable)]),
    ...(verb.startsWith('delete') || fieldValidations.includes(validation)
      ? []
      : [fieldCauses.unsupported('fieldValidation', validation, fieldValidations)]),
  ];
}

/** The value as Go quotes it: with the two digits of the character's code. */
function unprintableCause(manager: string, at: number): FieldCause {
  const code = (manager.codePointAt(at) ?? 0).toString(16).toUpperCase();
  const cause = fieldCauses.invalid(
    'fieldManager',
    manager,
    `invalid character U+${code.padStart(4, '0')} (at position ${at})`,
  );
  return { ...cause, message: cause.message.replace(/\\u00([0-9a-f]{2})/g, '\\x$1') };
}

function requireListOptions(request: WireRequest): void {
  const { query, verb } = request;
  const [version, match] = [query.get('resourceVersion') ?? '', query.get('resourceVersionMatch') ?? ''];
  const initial = query.has('sendInitialEvents');
  const causes = verb === 'watch' ? watchCauses(match, initial) : listCauses(version, match, initial);
  refuse(request, 'ListOptions', causes);
  if (version !== '' && !/^\d+$/.test(version)) {
    const why = `resourceVersion: Invalid value: ${JSON.stringify(version)}: strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`;
    if (verb === 'watch') throw refusals.failure(request, 500, why);
    throw refusals.badRequest(request, `invalid resource version: ${why}`);
  }
  if (verb === 'list' && version !== '' && version !== '0' && query.has('continue'))
    throw refusals.badRequest(request, 'specifying resource version is not allowed when using continue');
}

const matches = ['Exact', 'NotOlderThan', ''];

function listCauses(version: string, match: string, initial: boolean): readonly FieldCause[] {
  if (initial) return [fieldCauses.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')];
  if (match === '') return [];
  const unknown = matches.includes(match) ? [] : [fieldCauses.unsupported('resourceVersionMatch', match, matches)];
  if (version === '') {
    const why = 'resourceVersionMatch is forbidden unless resourceVersion is provided';
    return [fieldCauses.forbidden('resourceVersionMatch', why), ...unknown];
  }
  if (version === '0' && match === 'Exact')
    return [
      fieldCauses.forbidden(
        'resourceVersionMatch',
        'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      ),
    ];
  return unknown;
}

function watchCauses(match: string, initial: boolean): readonly FieldCause[] {
  if (initial && match !== 'NotOlderThan')
    return [
      fieldCauses.forbidden(
        'resourceVersionMatch',
        'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      ),
    ];
  if (!initial && match !== '')
    return [
      fieldCauses.forbidden(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
      ...(match === 'NotOlderThan' ? [] : [fieldCauses.unsupported('resourceVersionMatch', match, ['NotOlderThan'])]),
    ];
  return [];
}

const propagations = ['Foreground', 'Background', 'Orphan'];

function policyCauses(policy: unknown): readonly FieldCause[] {
  if (propagations.includes(String(policy))) return [];
  return [fieldCauses.unsupported('propagationPolicy', policy, [...propagations, 'nil'])];
}

/** The options of the query count only without a body. */
function propagationCauses({ verb, query, body = '' }: WireRequest): readonly FieldCause[] {
  const policy = query.get('propagationPolicy') ?? '';
  if (!verb.startsWith('delete') || body !== '' || policy === '') return [];
  return [...(query.has('orphanDependents') ? [bothCause(policy)] : []), ...policyCauses(policy)];
}

const bothCause = (policy: unknown): FieldCause =>
  fieldCauses.invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set');

/** Refuses the DeleteOptions of a body that meta/v1 does not allow. */
export function requireDeleteOptions(request: WireRequest, options: Json): void {
  const { propagationPolicy, orphanDependents, dryRun = [] } = options;
  refuse(request, 'DeleteOptions', [
    ...(propagationPolicy !== undefined && orphanDependents !== undefined ? [bothCause(propagationPolicy)] : []),
    ...(propagationPolicy === undefined ? [] : policyCauses(propagationPolicy)),
    ...dryRunCauses(Array.isArray(dryRun) ? dryRun : [dryRun]),
  ]);
}
