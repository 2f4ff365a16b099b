import { isJson } from '../../objects/json.ts';

const literals = ['null', 'true', 'false'];

/** Why the text is no JSON object, in the words of Go's encoding/json; undefined if it is one. */
export function jsonFault(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) || value === null
      ? undefined
      : `json: cannot unmarshal ${goKind(value)} into Go value of type map[string]interface {}`;
  } catch {
    return syntaxFault(text.trimStart());
  }
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function syntaxFault(text: string): string {
  if (text === '') return 'unexpected end of JSON input';
  const literal = literals.find((one) => one[0] === text[0]);
  if (literal === undefined) return `invalid character '${text[0]}' looking for beginning of value`;
  const at = [...literal].findIndex((letter, index) => text[index] !== letter);
  if (text[at] === undefined) return 'unexpected end of JSON input';
  return `invalid character '${text[at]}' in literal ${literal} (expecting '${literal[at]}')`;
}
