import type { JsonPatchOperation } from '../../../cluster/cluster.ts';
import { isJson, sameJson } from '../../json.ts';

/** The patched document, or why the patch does not apply: then nothing of it does. */
export type JsonPatchOutcome = { readonly value: unknown } | { readonly mistake: string };

/** RFC 6902: add, remove, replace and test. Only the containers on the way to a change are copied. */
export function jsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): JsonPatchOutcome {
  let value = document;
  for (const operation of operations) {
    const outcome = step(value, pointer(operation.path), operation);
    if ('mistake' in outcome) return outcome;
    value = outcome.value;
  }
  return { value };
}

/** RFC 6901. */
function pointer(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function step(target: unknown, path: readonly string[], operation: JsonPatchOperation): JsonPatchOutcome {
  const [key, ...rest] = path;
  if (key === undefined) return whole(target, operation);
  if (!isJson(target) && !Array.isArray(target)) return missing(operation);
  const at = Array.isArray(target) ? position(target, key) : key;
  if (at === undefined) return missing(operation);
  if (rest.length === 0) return member(target, at, operation);
  const child = memberOf(target, at);
  if (child === undefined) return missing(operation);
  const outcome = step(child, rest, operation);
  return 'mistake' in outcome ? outcome : { value: withMember(target, at, outcome.value) };
}

function whole(target: unknown, operation: JsonPatchOperation): JsonPatchOutcome {
  if (operation.op !== 'test') return { value: operation.op === 'remove' ? null : operation.value };
  return sameJson(operation.value, target) ? { value: target } : failed(operation);
}

function member(target: object, at: string | number, operation: JsonPatchOperation): JsonPatchOutcome {
  const { op, value } = operation;
  const present = memberOf(target, at) !== undefined;
  if (op === 'add')
    return { value: Array.isArray(target) ? target.toSpliced(Number(at), 0, value) : withMember(target, at, value) };
  if (op === 'test')
    return sameJson(value ?? null, memberOf(target, at) ?? null) ? { value: target } : failed(operation);
  if (!present) return missing(operation);
  return { value: op === 'replace' ? withMember(target, at, value) : withoutMember(target, at) };
}

/** An index of the list, or the place after its last item. */
function position(list: readonly unknown[], key: string): number | undefined {
  if (key === '-') return list.length;
  const index = /^(0|[1-9][0-9]*)$/.test(key) ? Number(key) : Number.NaN;
  return index <= list.length ? index : undefined;
}

function memberOf(target: object, at: string | number): unknown {
  return (target as Record<string | number, unknown>)[at];
}

function withMember(target: object, at: string | number, value: unknown): object {
  return Array.isArray(target) ? target.with(Number(at), value) : { ...target, [at]: value };
}

function withoutMember(target: object, at: string | number): object {
  if (Array.isArray(target)) return target.toSpliced(Number(at), 1);
  const { [at as string]: _, ...rest } = target as Record<string, unknown>;
  return rest;
}

/** In the words of evanphx/json-patch, which the server uses. */
function failed({ path }: JsonPatchOperation): JsonPatchOutcome {
  return { mistake: `testing value ${path} failed: test failed` };
}
function missing({ op, path }: JsonPatchOperation): JsonPatchOutcome {
  return op === 'test'
    ? failed({ op, path })
    : { mistake: `${op} operation does not apply: doc is missing path: ${path}: missing value` };
}
