import { isJson, type Json } from '../objects/json.ts';

export type FieldPath = readonly (string | number)[];

/**
 * A field as Kubernetes writes it (`spec.containers[0].image`, `metadata.labels[app.kubernetes.io/name]`) as a path.
 */
export function fieldPath(field: string): FieldPath {
  const steps = field.match(/[^.[\]]+|\[[^\]]*\]/g) ?? [];
  return steps.map((step) => {
    const inner = step.startsWith('[') ? step.slice(1, -1).replace(/^"|"$/g, '') : step;
    return step.startsWith('[') && /^\d+$/.test(inner) ? Number(inner) : inner;
  });
}

/** The object without that field; the same object if it has no such field. */
export const withoutField = <T extends object>(object: T, field: string): T => without(object, fieldPath(field)) as T;

function without(value: unknown, [step, ...rest]: FieldPath): unknown {
  if (step === undefined) return value;
  if (Array.isArray(value))
    return rest.length > 0
      ? value.map((item, index) => (index === step ? without(item, rest) : item))
      : value.filter((_, index) => index !== step);
  if (!isJson(value) || !(step in value)) return value;
  if (rest.length > 0) return { ...value, [step]: without(value[step], rest) } as Json;
  const { [step]: _, ...others } = value;
  return others;
}

/** The fields of the value that stands at a field of the object; of the object itself if that is empty. */
export function fieldsIn(object: object, field: string): readonly string[] {
  const value = fieldPath(field).reduce<unknown>((at, step) => Object(at)[step], object);
  if (Array.isArray(value)) return value.map((_, index) => `${field}[${index}]`);
  return isJson(value) ? Object.keys(value).map((key) => joined(field, key)) : [];
}

function joined(field: string, key: string): string {
  if (/[.[\]]/.test(key)) return `${field}[${key}]`;
  return field === '' ? key : `${field}.${key}`;
}
