import type { FieldPath } from '@holdfast/embedded-cluster';

/** A value of a wrong type, as people write YAML. */
interface Wrong {
  readonly path: FieldPath;
  readonly sentence: string;
}

/**
 * What is wrong with the value at that path, which the API server says is not of a type, in Go's words (`int32`,
 * `map[string]string`); undefined for a type that YAML has no word for. Of a map or a list whose entries should be of
 * that type, it is the first entry that is not.
 */
export function wrongType(object: object, path: FieldPath, type: string): Wrong | undefined {
  const wanted = wants.find(({ is }) => is.test(type));
  if (wanted === undefined) return undefined;
  const value = path.reduce<unknown>((at, step) => Object(at)[step], object);
  const entry = wanted.fits(value) ? undefined : entryOf(value, wanted);
  const wrong = entry === undefined ? { path, value } : { path: [...path, entry[0]], value: entry[1] };
  return { path: wrong.path, sentence: sentence(wrong.value, wanted) };
}

interface Wanted {
  readonly is: RegExp;
  readonly words: string;
  readonly fits: (value: unknown) => boolean;
  /** A text of YAML that would be of the type without its quotes. */
  readonly unquoted?: RegExp;
  /** The value may be the list or the map around those that should be of the type. */
  readonly isEntry?: true;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const wants: readonly Wanted[] = [
  {
    is: /^u?int\d*$|^float\d*$/,
    words: 'a number',
    fits: (value) => typeof value === 'number',
    unquoted: /^-?\d{1,10}$/,
  },
  { is: /^bool$/, words: 'true or false', fits: (value) => typeof value === 'boolean', unquoted: /^(true|false)$/ },
  { is: /^string$/, words: 'text', fits: (value) => typeof value === 'string', isEntry: true },
  { is: /^\[\]/, words: 'a list', fits: Array.isArray },
  { is: /^map\[/, words: 'an object', fits: isObject },
  {
    // The others are structs that YAML writes as one value.
    is: /^(?!resource\.Quantity|intstr\.|v1\.(Micro)?Time|v1\.Duration)\w+\.\w+$/,
    words: 'an object',
    fits: isObject,
    isEntry: true,
  },
];

/** The first entry of a map or a list that is not as wanted. */
function entryOf(value: unknown, { fits, isEntry }: Wanted): readonly [string | number, unknown] | undefined {
  if (isEntry === undefined) return undefined;
  if (Array.isArray(value)) {
    const index = value.findIndex((item) => !fits(item));
    return index === -1 ? undefined : [index, value[index]];
  }
  return isObject(value) ? Object.entries(value as object).find(([, member]) => !fits(member)) : undefined;
}

/** The value itself may be a secret, unless it is a number or a truth value. */
function sentence(value: unknown, { words, unquoted }: Wanted): string {
  if (typeof value === 'string' && unquoted?.test(value)) return `"${value}" is text: write ${value}`;
  const isSimple = typeof value === 'number' || typeof value === 'boolean';
  if (words === 'text' && isSimple) return `it is ${seen(value)}, and must be text: put it in quotes`;
  return `it must be ${words}, and it is ${seen(value)}`;
}

function seen(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'true or false' : 'a number';
}
