import { Environment } from '@marcbachmann/cel-js';
import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { Rule, Schema } from '../decoding/definitions.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { schemaOfMember } from './prune.ts';
import { typeOf } from './schema-causes.ts';

/**
 * The rules of a schema (`x-kubernetes-validations`, CEL) that a value breaks: those of a value before those of its
 * parts. A rule about `oldSelf` holds for a value that is new, every rule for one that is as before. A rule that cannot
 * be read here is not applied.
 */
export function ruleCauses(value: unknown, schema: Schema, field: string, before: unknown): readonly FieldCause[] {
  if (value === undefined || value === null || (before !== undefined && sameJson(value, before))) return [];
  const self = celValue(value, schema);
  const oldSelf = before === undefined ? undefined : celValue(before, schema);
  const own = (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => {
    if (oldSelf === undefined && /\boldSelf\b/.test(rule.rule)) return [];
    const why = broken(rule, { self, oldSelf });
    return why === undefined ? [] : [fieldCauses.invalid(field, typeOf(value), why)];
  });
  return [...own, ...causesOfParts(value, schema, field, before)];
}

function causesOfParts(value: unknown, schema: Schema, field: string, before: unknown): readonly FieldCause[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => ruleCauses(item, schema.items ?? {}, `${field}[${index}]`, undefined));
  if (!isJson(value)) return [];
  const old = isJson(before) ? before : {};
  return Object.entries(value).flatMap(([key, member]) => {
    const of = schemaOfMember(schema, key);
    if (of === undefined || of === true) return [];
    return ruleCauses(member, of, field === '' ? key : `${field}.${key}`, old[key]);
  });
}

/** Why the rule does not hold, in the words of its definition; undefined if it does. */
function broken(
  { rule, message = `failed rule: ${rule}`, messageExpression }: Rule,
  context: Json,
): string | undefined {
  const evaluate = evaluation(rule);
  if (evaluate === undefined) return undefined;
  try {
    return evaluate(context) === false ? (worded(messageExpression, context) ?? message) : undefined;
  } catch (error) {
    const [words = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return `${words.charAt(0).toLowerCase()}${words.slice(1)} evaluating rule: ${message}`;
  }
}

/** The words that an expression makes; undefined if it makes none. */
function worded(expression: string | undefined, context: Json): string | undefined {
  const words = expression === undefined ? undefined : evaluation(expression)?.(context);
  return typeof words === 'string' && words.trim() !== '' ? words : undefined;
}

type Evaluate = (context: Json) => unknown;

const evaluations = new Map<string, Evaluate | undefined>();
/**
 * A cluster has a few hundred rules. The bound keeps a client that sends new ones all the time from filling the memory.
 */
const mostKept = 2_000;
let environment: ReturnType<typeof newEnvironment> | undefined;

function evaluation(rule: string): Evaluate | undefined {
  if (evaluations.has(rule)) return evaluations.get(rule);
  if (evaluations.size >= mostKept) evaluations.clear();
  const evaluate = parsed(rule);
  evaluations.set(rule, evaluate);
  return evaluate;
}

function parsed(rule: string): Evaluate | undefined {
  environment ??= newEnvironment();
  try {
    const evaluate = environment.parse(rule);
    return evaluate.check().valid ? evaluate : undefined;
  } catch {
    return undefined;
  }
}

/** CEL with Kubernetes' function `find`. */
function newEnvironment() {
  const find = (text: string, pattern: string) => new RegExp(pattern, 'u').exec(text)?.[0] ?? '';
  const options = { unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false };
  return new Environment(options).registerFunction('string.find(string): string', find);
}

/** The value with its integers as those of CEL. */
function celValue(value: unknown, schema: Schema): unknown {
  if (typeof value === 'number') return schema.type === 'number' || !Number.isInteger(value) ? value : BigInt(value);
  if (Array.isArray(value)) return value.map((item) => celValue(item, schema.items ?? {}));
  if (!isJson(value)) return value;
  const members = Object.entries(value).map(([key, member]) => {
    const of = schemaOfMember(schema, key);
    return [key, celValue(member, typeof of === 'object' ? of : {})] as const;
  });
  return Object.fromEntries(members);
}
