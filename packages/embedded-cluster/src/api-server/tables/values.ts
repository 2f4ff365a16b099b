import { isJson, type Json } from '../../objects/json.ts';

/** The member at the path as text, such as `spec.type`; the fallback if it is missing or empty. */
export function textAt(object: unknown, path: string, fallback = '<none>'): string {
  const value = valueAt(object, path);
  return value === undefined || value === null || value === '' ? fallback : String(value);
}

/** The number at the path; 0 if it is missing. */
export function countAt(object: unknown, path: string): number {
  return Number(valueAt(object, path) ?? 0);
}

/** The objects of the list at the path; none if it is missing. */
export function listAt(object: unknown, path: string): readonly Json[] {
  const list = valueAt(object, path);
  return Array.isArray(list) ? list.filter(isJson) : [];
}

/** The texts of the list at the path; none if it is missing. */
export function textsAt(object: unknown, path: string): readonly string[] {
  const list = valueAt(object, path);
  return Array.isArray(list) ? list.map(String) : [];
}

export function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const step of path.split('.')) value = isJson(value) ? value[step] : undefined;
  return value;
}

/** A map of labels as a selector, sorted: `a=b,c=d`. */
export function labelsText(labels: unknown): string {
  const pairs = isJson(labels) ? Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)) : [];
  return pairs.map(([key, value]) => `${key}=${value}`).join(',') || '<none>';
}

/** A LabelSelector as a selector; `<none>` if it selects everything. */
export function selectorText(selector: unknown): string {
  if (!isJson(selector)) return '<none>';
  const { matchLabels } = selector;
  const expressions = listAt(selector, 'matchExpressions').map(expressionText);
  const labels = isJson(matchLabels) && Object.keys(matchLabels).length > 0 ? [labelsText(matchLabels)] : [];
  return [...labels, ...expressions].join(',') || '<none>';
}

function expressionText({ key, operator, values }: Json): string {
  if (operator === 'Exists') return String(key);
  if (operator === 'DoesNotExist') return `!${key}`;
  const list = Array.isArray(values) ? values.toSorted().join(',') : '';
  return `${key} ${String(operator).toLowerCase()} (${list})`;
}

/** The first items with a comma between them, and how many more there are. */
export function shortened(items: readonly unknown[], most = 3): string {
  const shown = items.slice(0, most).join(',');
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}
