import type { JsonPatchOperation } from '../../kubernetes/cluster.ts';
import { isJson, sameJson } from '../../objects/json.ts';

/** The document after the patch. */
export interface Patched {
  readonly value: unknown;
}

/**
 * JSON Patch (RFC 6902). Undefined if any operation does not apply; as in the API server (evanphx/json-patch 4),
 * `replace` also sets a member that is missing. Only the objects and lists on the path of a change are copied.
 */
export function jsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): Patched | undefined {
  let patched: Patched | undefined = { value: document };
  for (const operation of operations) patched = patched && operated(patched.value, operation);
  return patched;
}

function operated(document: unknown, operation: JsonPatchOperation): Patched | undefined {
  const { op, path, from = '' } = operation;
  // A client may send it over HTTP without a path.
  if (!operations.has(op) || (path !== '' && !path?.startsWith('/'))) return undefined;
  if (op !== 'copy' && op !== 'move') return step(document, pointer(path), operation);
  const value = valueAt(document, pointer(from)) ?? (op === 'copy' ? null : undefined);
  if (value === undefined) return undefined;
  const left = op === 'copy' ? { value: document } : step(document, pointer(from), { op: 'remove', path: from });
  return left && step(left.value, pointer(path), { op: 'add', path, value });
}

const operations: ReadonlySet<string> = new Set(['add', 'copy', 'move', 'remove', 'replace', 'test']);

function valueAt(target: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return target;
  return isJson(target) || Array.isArray(target) ? valueAt(memberOf(target, key), rest) : undefined;
}

/** The steps of a JSON Pointer (RFC 6901). */
function pointer(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function step(target: unknown, path: readonly string[], operation: JsonPatchOperation): Patched | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return whole(target, operation);
  if (!isJson(target) && !Array.isArray(target)) return undefined;
  const at = Array.isArray(target) ? position(target, key) : key;
  if (at === undefined) return undefined;
  if (rest.length === 0) return member(target, at, operation);
  const patched = step(memberOf(target, at), rest, operation);
  return patched && { value: withMember(target, at, patched.value) };
}

function whole(target: unknown, { op, value }: JsonPatchOperation): Patched | undefined {
  if (op === 'test') return sameJson(value, target) ? { value: target } : undefined;
  return op === 'remove' ? undefined : { value };
}

function member(target: object, at: string | number, { op, value }: JsonPatchOperation): Patched | undefined {
  const before = memberOf(target, at);
  if (op === 'test') return sameJson(value ?? null, before ?? null) ? { value: target } : undefined;
  if (op === 'add') return { value: withAdded(target, at, value) };
  if (before === undefined && (op === 'remove' || Array.isArray(target))) return undefined;
  return { value: op === 'replace' ? withMember(target, at, value) : withoutMember(target, at) };
}

/** An index of the list; `-` is the one after its last item (RFC 6901, section 4). */
function position(list: readonly unknown[], key: string): number | undefined {
  if (key === '-') return list.length;
  const number = /^-?(0|[1-9][0-9]*)$/.test(key) ? Number(key) : Number.NaN;
  // Counted from the end, as the API server's library does.
  const index = number < 0 ? list.length + number : number;
  return index >= 0 && index <= list.length ? index : undefined;
}

function memberOf(target: object, at: string | number): unknown {
  return Object.hasOwn(target, at) ? (target as Record<string | number, unknown>)[at] : undefined;
}

function withMember(target: object, at: string | number, value: unknown): object {
  return Array.isArray(target) ? target.with(Number(at), value) : { ...target, [at]: value };
}

function withAdded(target: object, at: string | number, value: unknown): object {
  return Array.isArray(target) ? target.toSpliced(Number(at), 0, value) : withMember(target, at, value);
}

function withoutMember(target: object, at: string | number): object {
  if (Array.isArray(target)) return target.toSpliced(Number(at), 1);
  const { [at as string]: _, ...rest } = target as Record<string, unknown>;
  return rest;
}
