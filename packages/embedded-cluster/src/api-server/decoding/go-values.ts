import { isJson } from '../../objects/json.ts';

/** The word of Go's encoding/json for the type of a JSON value. */
export function wordFor(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isJson(value)) return 'object';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Why the text is no quantity (apimachinery, pkg/api/resource); undefined if it is one. */
export function quantityError(text: string): string | undefined {
  const [, digits, suffix = ''] = /^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$/.exec(text) ?? [];
  if (digits === undefined || !/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$/.test(digits))
    return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  return /^(|[numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]+)$/.test(suffix) ? undefined : "unable to parse quantity's suffix";
}

const layouts = {
  time: ['2006', '-', '01', '-', '02', 'T', '15', ':', '04', ':', '05', 'Z07:00'],
  microTime: ['2006', '-', '01', '-', '02', 'T', '15', ':', '04', ':', '05', '.000000', 'Z07:00'],
} as const;

const elements: Readonly<Record<string, RegExp>> = {
  '2006': /^\d{4}/,
  '01': /^(0[1-9]|1[0-2])/,
  '02': /^(0[1-9]|[12]\d|3[01])/,
  '15': /^([01]\d|2[0-3])/,
  '04': /^[0-5]\d/,
  '05': /^[0-5]\d/,
  '.000000': /^\.\d{6}/,
  'Z07:00': /^(Z|[+-]\d\d:\d\d)$/,
};

/** Why the text is no time of that layout, in the words of Go's time.Parse; undefined if it is one. */
export function timeError(text: string, layout: keyof typeof layouts): string | undefined {
  let rest = text;
  for (const element of layouts[layout]) {
    // Go takes a fraction of seconds also where the layout has none.
    if (element === 'Z07:00' && layout === 'time') rest = rest.replace(/^\.\d+/, '');
    const [taken] = elements[element]?.exec(rest) ?? (rest.startsWith(element) ? [element] : []);
    if (taken === undefined)
      return `parsing time "${text}" as "${layouts[layout].join('')}": cannot parse "${rest}" as "${element}"`;
    rest = rest.slice(taken.length);
  }
  return undefined;
}

/** A JSON value as Go's `%+v` prints it. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([key, member]) => `${key}:${goText(member)}`).join(' ')}]`;
}
