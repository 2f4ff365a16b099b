import { parse as parseYaml, YAMLParseError } from 'yaml';

/** A text as a JSON value, or why it is none, in the words of the API server. */
export type Parsed = { readonly value: unknown } | { readonly error: string };

export function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error: jsonError(text, String(error)) };
  }
}

/** In the words of Go's encoding/json. */
function jsonError(text: string, message: string): string {
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? Number.NaN);
  const character = /Unexpected token '(.)'/u.exec(message)?.[1] ?? text[position];
  if (character === undefined || position >= text.length) return 'unexpected end of JSON input';
  return `invalid character '${character}' looking for beginning of value`;
}

/** YAML 1.1, as the API server reads it: `y` is true. JSON is YAML, and is read faster as JSON. */
export function parseYamlText(text: string): Parsed {
  const json = text.startsWith('{') ? parseJson(text) : undefined;
  if (json !== undefined && 'value' in json) return json;
  try {
    return { value: parseYaml(text, { version: '1.1', maxAliasCount: 100, logLevel: 'error' }) as unknown };
  } catch (error) {
    return { error: `error converting YAML to JSON: yaml: ${yamlError(error)}` };
  }
}

function yamlError(error: unknown): string {
  if (!(error instanceof YAMLParseError)) return 'document contains excessive aliasing';
  return `line ${error.linePos?.[0].line ?? 1}: did not find expected node content`;
}
