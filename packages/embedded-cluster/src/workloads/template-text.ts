import { isJson, type Json } from '../objects/json.ts';
import { quantityText } from './quantity-text.ts';
import types from './template-types.json' with { type: 'json' };

type Member = readonly [goName: string, jsonName: string, type: string];
const structs = types.structs as unknown as Readonly<Record<string, readonly Member[]>>;
const named = types.named as Readonly<Record<string, string>>;

/**
 * A pod template as text: every member of its Go type, also what is not set (apimachinery, pkg/util/dump, ForHash).
 * Kubernetes makes its hash of this text. The types are those of k8s.io/api v0.34.4.
 */
export function templateText(template: Json): string {
  return `(v1.PodTemplateSpec)${valueText('v1.PodTemplateSpec', template)}`;
}

function valueText(type: string, value: unknown): string {
  if (type.startsWith('*')) return value === undefined ? '<nil>' : valueText(type.slice(1), value);
  if (type.startsWith('[]')) return listText(type.slice(2), value);
  const own = special[type];
  if (own !== undefined) return own(value);
  const members = structs[type];
  if (members !== undefined) return structText(members, isJson(value) ? value : {});
  return otherText(named[type] ?? type, value);
}

function otherText(kind: string, value: unknown): string {
  if (kind.startsWith('map[')) return mapText(kind.slice(kind.indexOf(']') + 1), value);
  if (kind === 'bool') return String(value ?? false);
  return String(value ?? (kind === 'string' ? '' : 0));
}

function structText(members: readonly Member[], value: Json): string {
  const texts = members.map(([goName, jsonName, type]) => {
    const member = jsonName === '' ? value : value[jsonName];
    return `${goName}:(${type})${valueText(type, member)}`;
  });
  return `{${texts.join(' ')}}`;
}

function listText(type: string, value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return '<nil>';
  return `[${value.map((item) => valueText(type, item)).join(' ')}]`;
}

function mapText(type: string, value: unknown): string {
  if (!isJson(value) || Object.keys(value).length === 0) return '<nil>';
  const keys = Object.keys(value).toSorted((a, b) => (a < b ? -1 : 1));
  return `map[${keys.map((key) => `${key}:${valueText(type, value[key])}`).join(' ')}]`;
}

const noTime = '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}';

const special: Readonly<Record<string, (value: unknown) => string>> = {
  // A template has no time.
  'v1.Time': () => noTime,
  'resource.Quantity': (value) => quantityText(value === undefined ? undefined : String(value)),
  'intstr.IntOrString': (value) => {
    const isText = typeof value === 'string';
    return `{Type:(intstr.Type)${isText ? 1 : 0} IntVal:(int32)${isText ? 0 : (value ?? 0)} StrVal:(string)${isText ? value : ''}}`;
  },
};
