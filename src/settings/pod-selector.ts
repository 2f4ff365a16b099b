import * as z from 'zod';

/** Kubernetes, "Labels and Selectors": a name of at most 63 characters after an optional prefix. */
const name = '[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?';
const prefix = '[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?';
const equality = new RegExp(`^\\s*((?:${prefix}/)?${name})\\s*==?\\s*((?:${name})?)\\s*$`);

/** The other forms that the API server accepts. */
const otherForms: readonly (readonly [form: RegExp, named: string])[] = [
  [/\snotin\s*\(/, 'notin (…)'],
  [/\sin\s*\(/, 'in (…)'],
  [/!=/, '!='],
  [/[<>]/, '< or >'],
  [/(^|,)\s*!/, '!key'],
  [/(^|,)\s*[^=,\s]+\s*(,|$)/, 'a key without a value'],
];

/**
 * A label selector in kubectl's notation: `key=value` or `key==value`, several joined by commas, spaces allowed; the
 * output is `key=value,key=value`. Every other form is a mistake that names it: the embedded cluster and the manifests
 * use labels alone.
 */
export const podSelector = z.string().transform((text, context) => {
  const labels = labelsOf(text);
  if (labels !== undefined)
    return Object.entries(labels)
      .map((pair) => pair.join('='))
      .join(',');
  context.issues.push({
    code: 'custom',
    message: `is '${text}', which ${whyNot(text)}: write key=value, several joined by commas`,
    input: text,
  });
  return z.NEVER;
});

/** The labels of such a selector; undefined if it is not one. */
export function labelsOf(selector: string): Readonly<Record<string, string>> | undefined {
  const pairs = selector.split(',').map((term) => equality.exec(term)?.slice(1) ?? []);
  const labels = Object.fromEntries(pairs.map(([key = '', value = '']) => [key, value]));
  // If a key is given twice, one of the values would be lost.
  return '' in labels || Object.keys(labels).length < pairs.length ? undefined : labels;
}

/** Whether the labels match the selector; a text that is not such a selector matches nothing. */
export function labelsMatch(labels: Readonly<Record<string, string>> | undefined, selector: string): boolean {
  const wanted = labelsOf(selector);
  return wanted !== undefined && Object.entries(wanted).every(([key, value]) => labels?.[key] === value);
}

function whyNot(text: string): string {
  const other = otherForms.find(([form]) => form.test(text));
  if (other !== undefined) return `has the form ${other[1]}`;
  const keys = text.split(',').map((term) => equality.exec(term)?.[1]);
  return keys.includes(undefined) ? 'is not a label selector' : 'names a label twice';
}
