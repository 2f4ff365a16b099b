import type { Answer } from './exchanges.ts';

/**
 * The answer with placeholders for what two servers cannot have in common: times, uids, versions, tokens, ages,
 * addresses and ports.
 */
export function comparable(answer: Answer): Answer {
  return { ...answer, body: comparableValue(inOneOrder(answer.body)) };
}

/**
 * A 422 with its causes in one order where the real one takes that of a Go map, another each time: of a custom
 * resource, and of keys of data. The message has them in the same order.
 */
function inOneOrder(body: unknown): unknown {
  if (isObject(body) && body.kind === 'SelfSubjectRulesReview' && isObject(body.status)) {
    const sorted = Object.entries(body.status).map(([key, rules]) => [
      key,
      Array.isArray(rules) ? rules.toSorted(byText) : rules,
    ]);
    return { ...body, status: Object.fromEntries(sorted) };
  }
  if (!isObject(body) || !isObject(body.details) || typeof body.message !== 'string') return body;
  const { group = '', causes } = body.details;
  if (!Array.isArray(causes) || !(isCustomGroup(String(group)) || causes.some(isOfData))) return body;
  const sorted = causes.toSorted(byField);
  const texts = sorted.map(({ field, message }) => `${field}: ${message}`);
  const told = texts.every((one) => String(body.message).includes(one));
  const message = told
    ? body.message.replace(/ is invalid: \[.*\]$/s, () => ` is invalid: [${texts.join(', ')}]`)
    : body.message;
  return { ...body, message, details: { ...body.details, causes: sorted } };
}

const fieldOf = (cause: unknown): string => (isObject(cause) ? `${cause.field} ${cause.message}` : '');
const byField = (a: unknown, b: unknown): number => (fieldOf(a) < fieldOf(b) ? -1 : 1);

const isCustomGroup = (group: string): boolean => group.includes('.') && !group.endsWith('k8s.io');
const isOfData = (cause: unknown): boolean =>
  isObject(cause) && /^((binaryData|data)\[|metadata\.(labels|annotations)$)/.test(String(cause.field));

function comparableValue(value: unknown, key?: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => comparableValue(item, key));
    if (key === 'managedFields') return items.toSorted(byOwner);
    return key === 'causes' && items.every(isFieldConflict) ? items.toSorted(byText) : items;
  }
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(withoutDrawnName(value)).map(([name, member]) => [name, comparableValue(member, name)]),
    );
  return placeholderOf(value, key) ?? (typeof value === 'string' ? comparableText(value, key) : value);
}

function placeholderOf(value: unknown, key = ''): string | undefined {
  if (drawn[key] !== undefined) return value === '' ? undefined : drawn[key];
  return (key === 'nodePort' || key === 'healthCheckNodePort') && Number(value) > 29999 ? '<nodeport>' : undefined;
}

/** Placeholders of fields that two servers cannot have in common. */
const drawn: Readonly<Record<string, string | undefined>> = {
  continue: '<token>',
  resourceVersion: '<rv>',
  serverAddress: '<address>',
  token: '<token>',
};

const ownerOf = (entry: unknown): string => {
  const { manager, operation, subresource } = entry as Readonly<Record<string, unknown>>;
  return JSON.stringify([manager, operation, subresource]);
};
const byOwner = (a: unknown, b: unknown): number => (ownerOf(a) < ownerOf(b) ? -1 : 1);

/** The real one lists the managers of a conflict in the order of a Go map, which is another each time. */
const isFieldConflict = (cause: unknown): boolean => isObject(cause) && cause.reason === 'FieldManagerConflict';
const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** Metadata without the five characters that were drawn for its name. */
function withoutDrawnName(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { generateName, name } = value;
  const isDrawn = typeof generateName === 'string' && typeof name === 'string' && name.startsWith(generateName);
  return isDrawn && name.length === generateName.length + 5 ? { ...value, name: `${generateName}<drawn>` } : value;
}

/** The days of the times that the requests themselves contain. */
const sentDay = /^(2026-01-01|2020-01-01)/;

function comparableText(text: string, key: string | undefined): string {
  const scrubbed = text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (time) => (sentDay.test(time) ? time : '<time>'))
    .replace(/\b(\d+):3\d{4}\/(TCP|UDP)/g, '$1:<nodeport>/$2')
    .replace(/\b10\.(96|100)\.\d+\.\d+\b/g, '<clusterip>')
    .replace(/too old resource version: (\d+) \(\d+\)/, 'too old resource version: $1 (<rv>)')
    .replace(/in record \(\d+\)/, 'in record (<rv>)')
    .replace(/"resourceVersion\\*":\\*"\d+/g, (version) => version.replace(/\d+$/, '<rv>'))
    .replace(/resourceVersion: "\d+"/g, 'resourceVersion: <rv>')
    .replace(/current: \d+/, 'current: <rv>')
    // The real server draws the name of the volume, another each time.
    .replace(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-<drawn>');
  const isAge = (key === undefined || key === 'cells') && /^\d+(s|m\d*s?|h)$/.test(scrubbed);
  return isAge ? '<age>' : scrubbed;
}

/** A place at which two answers differ. */
export interface Difference {
  /** Such as `/body/spec/replicas`. */
  readonly path: string;
  readonly real: unknown;
  readonly ours: unknown;
}

/** Every place at which they differ; lists of different lengths differ as a whole. */
export function differences(real: unknown, ours: unknown, path = ''): readonly Difference[] {
  if (isObject(real) && isObject(ours) && Array.isArray(real) === Array.isArray(ours)) {
    if (Array.isArray(real) && Array.isArray(ours) && real.length !== ours.length) return [{ path, real, ours }];
    const names = new Set([...Object.keys(real), ...Object.keys(ours)]);
    return [...names].flatMap((name) => differences(real[name], ours[name], `${path}/${name}`));
  }
  return JSON.stringify(real) === JSON.stringify(ours) ? [] : [{ path, real, ours }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
