import { isJson } from '../objects/json.ts';

/**
 * A field that a decoding error of the API server names without the indexes of lists (`spec.containers.image`), with
 * them (`spec.containers[1].image`): the first that is of the type that the error saw, in the words of Go's
 * encoding/json.
 */
export function indexedField(object: object, field: string, seen: string): string {
  return found(object, field === '' ? [] : field.split('.'), seen)?.replace(/^\./, '') ?? field;
}

function found(value: unknown, steps: readonly string[], seen: string): string | undefined {
  if (Array.isArray(value) && steps.length > 0)
    return first(value.map((item, at) => () => joined(`[${at}]`, item, steps, seen)));
  const [step, ...rest] = steps;
  if (step === undefined) return goType(value) === seen ? '' : undefined;
  return isJson(value) && step in value ? joined(`.${step}`, value[step], rest, seen) : undefined;
}

function joined(place: string, value: unknown, steps: readonly string[], seen: string): string | undefined {
  const inner = found(value, steps, seen);
  return inner === undefined ? undefined : place + inner;
}

function first(tries: readonly (() => string | undefined)[]): string | undefined {
  for (const attempt of tries) {
    const place = attempt();
    if (place !== undefined) return place;
  }
  return undefined;
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
