import { parse as parseYaml, YAMLParseError } from 'yaml';
import { isJson } from '../../objects/json.ts';

/** A text as a JSON value, or why it is none, in the words of the API server. */
export type Parsed = { readonly value: unknown } | { readonly error: string };

export function parseJson(text: string): Parsed {
  try {
    return notTooDeep(text, JSON.parse(text));
  } catch (error) {
    return { error: jsonError(text, String(error)) };
  }
}

/**
 * How deep a body may be. Go's encoding/json takes 10000; what reads a body here calls itself for each level, within
 * the stack of Node.
 */
const deepest = 500;

function notTooDeep(text: string, value: unknown): Parsed {
  if (text.length > 2 * deepest && isDeeper(value)) return { error: 'exceeded max depth' };
  return { value: namesPrototype.test(text) ? withoutPrototypes(value) : value };
}

/** Also written with escapes. */
const namesPrototype = /__proto__|\\/;

/** Without members called `__proto__`: an assignment of one changes what an object is. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isJson(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutPrototypes(member)]));
}

/** Level by level, because such a value exhausts the stack of a recursion. */
function isDeeper(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= deepest; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** In the words of Go's encoding/json. */
function jsonError(text: string, message: string): string {
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? Number.NaN);
  const character = /Unexpected token '(.)'/u.exec(message)?.[1] ?? text[position];
  const literal = literalError(text, position);
  if (literal !== undefined) return literal;
  if (character === undefined || position >= text.length) return 'unexpected end of JSON input';
  return `invalid character '${character}' looking for beginning of value`;
}

/** For a word that begins like `null`, `true` or `false` Go's message names the first letter that differs. */
function literalError(text: string, position: number): string | undefined {
  const start = text.slice(0, Number.isNaN(position) ? 1 : position + 1).search(/[a-z]+$/);
  const word = ['null', 'true', 'false'].find((one) => start !== -1 && one[0] === text[start]);
  const at = [...(word ?? '')].findIndex((letter, index) => text[start + index] !== letter);
  const wrong = text[start + at];
  if (word === undefined || at < 1 || wrong === undefined) return undefined;
  return `invalid character '${wrong}' in literal ${word} (expecting '${word[at]}')`;
}

/** YAML 1.1, as the API server reads it: `y` is true. JSON is YAML, and is read faster as JSON. */
export function parseYamlText(text: string): Parsed {
  const json = text.startsWith('{') ? parseJson(text) : undefined;
  if (json !== undefined && 'value' in json) return json;
  if (opensTooDeep(text)) return { error: 'error converting YAML to JSON: yaml: exceeded max depth of 10000' };
  try {
    const parsed = notTooDeep(text, parseYaml(text, { version: '1.1', maxAliasCount: 100, logLevel: 'error' }));
    return 'error' in parsed ? parsed : { value: inOrder(parsed.value) };
  } catch (error) {
    return { error: `error converting YAML to JSON: yaml: ${yamlError(error)}` };
  }
}

/**
 * As the JSON that the API server makes of YAML: with the members of each object in the order of their keys, in which
 * it reads them.
 */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJson(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, inOrder(member)]));
}

/** Whether so many braces are open at once that a reader of YAML would need seconds for them. */
function opensTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length && depth <= deepest; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') depth += 1;
    else if ((character === '}' || character === ']') && depth > 0) depth -= 1;
  }
  return depth > deepest;
}

function yamlError(error: unknown): string {
  if (!(error instanceof YAMLParseError)) return 'document contains excessive aliasing';
  return `line ${error.linePos?.[0].line ?? 1}: did not find expected node content`;
}
