import type { LabelSelector } from '../kubernetes/metadata.ts';
import { isJson, type Json } from './json.ts';
import type { StoredObject } from './objects.ts';

export type Predicate = (object: StoredObject) => boolean;
type Labels = Readonly<Record<string, string>>;
type LabelTest = (labels: Labels) => boolean;

/** A LabelSelector (meta/v1) as a test. A missing one selects nothing, an empty one everything. */
export function objectSelector(selector: unknown): LabelTest {
  if (!isJson(selector)) return () => false;
  const wanted = Object.entries((selector.matchLabels ?? {}) as Labels);
  const expressions = ((selector.matchExpressions ?? []) as readonly Json[]).map(expressionTest);
  return (labels) =>
    wanted.every(([key, value]) => labels[key] === value) && expressions.every((expression) => expression(labels));
}

function expressionTest(expression: Json): LabelTest {
  const key = String(expression.key);
  const values = new Set((expression.values ?? []) as readonly string[]);
  const tests: Readonly<Record<string, LabelTest>> = {
    In: (labels) => labels[key] !== undefined && values.has(labels[key]),
    NotIn: (labels) => labels[key] === undefined || !values.has(labels[key]),
    Exists: (labels) => labels[key] !== undefined,
    DoesNotExist: (labels) => labels[key] === undefined,
  };
  return tests[String(expression.operator)] ?? (() => false);
}

const tests = new WeakMap<object, (labels: Labels) => boolean>();

/** Whether a LabelSelector selects the labels. A missing or empty one selects nothing. */
export function selectorMatches(labels: Labels | undefined, selector: LabelSelector | undefined): boolean {
  return selector !== undefined && Object.keys(selector).length > 0 && termMatches(labels, selector);
}

/**
 * Whether the LabelSelector of an affinity or spread term selects the labels. A missing one selects nothing, an empty
 * one everything.
 */
export function termMatches(labels: Labels | undefined, selector: LabelSelector | undefined): boolean {
  if (selector === undefined) return false;
  const test = tests.get(selector) ?? objectSelector(selector);
  tests.set(selector, test);
  return test(labels ?? {});
}

/** Whether a plain map of labels, as in a Service, selects the labels. A missing or empty one selects nothing. */
export function labelsMatch(labels: Labels | undefined, wanted: Labels | undefined): boolean {
  const pairs = Object.entries(wanted ?? {});
  return pairs.length > 0 && pairs.every(([key, value]) => labels?.[key] === value);
}

const fieldsOfAll = ['metadata.name', 'metadata.namespace'];
/**
 * The fields that a field selector may name besides name and namespace (Kubernetes documentation, "Field Selectors").
 */
const fieldsOfKind: Readonly<Record<string, readonly string[]>> = {
  Pod: [
    'spec.hostNetwork',
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  Node: ['spec.unschedulable'],
  Namespace: ['status.phase'],
  Service: ['spec.clusterIP', 'spec.type'],
  'Secret.': ['type'],
  Job: ['status.successful'],
  'ReplicationController.': ['status.replicas'],
  'CertificateSigningRequest.certificates.k8s.io': ['spec.signerName'],
  Event: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'type',
    'source',
    'reportingComponent',
  ],
};

/** One `path=value` of a field selector. */
export interface FieldRequirement {
  readonly path: string;
  readonly value: string;
  readonly equal: boolean;
}

/**
 * The requirements of a field selector such as `spec.nodeName=a,status.phase!=Running`; for invalid text the error
 * message.
 */
export function fieldRequirements(kind: string, text: string, custom = false): readonly FieldRequirement[] | string {
  const requirements: FieldRequirement[] = [];
  for (const part of text.split(/(?<!\\),/).filter((one) => one !== '')) {
    const match = /^([^=!]*)(==|=|!=)(.*)$/.exec(part);
    const [, path = '', operator = '', value = ''] = match ?? [];
    if (match === null) return `invalid selector: '${part}'; can't understand '${part}'`;
    const unescaped = /^(?:\\.|[^=])*=/.exec(value)?.[0];
    // The character's code, as Go prints it.
    if (unescaped !== undefined) return 'invalid field selector: unescaped character in value: 61';
    if (![...fieldsOfAll, ...(fieldsOfKind[kind] ?? [])].includes(path)) return unknownField(kind, path, custom);
    requirements.push({ path, value: value.replaceAll(/\\([,=\\])/g, '$1'), equal: operator !== '!=' });
  }
  return requirements;
}

/** Custom resources and kinds with fields of their own have other words than the rest. */
function unknownField(kind: string, path: string, custom: boolean): string {
  if (kind === 'Job') return `field label "${path}" not supported for Job`;
  if (fieldsOfKind[kind] !== undefined || custom) return `field label not supported: ${path}`;
  return `"${path}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

export function fieldsMatch(object: StoredObject, requirements: readonly FieldRequirement[]): boolean {
  return requirements.every(({ path, value, equal }) => (fieldAt(object, path) === value) === equal);
}

/** Fields that a selector calls otherwise than the object. */
const placeOfField: Readonly<Record<string, string>> = {
  source: 'source.component',
  'status.successful': 'status.succeeded',
};

/** What a field that is not there counts as; else it is empty. */
const absent: Readonly<Record<string, string>> = {
  'spec.hostNetwork': 'false',
  'spec.unschedulable': 'false',
  'status.successful': '0',
};

function fieldAt(object: StoredObject, path: string): string {
  let value: unknown = object;
  for (const step of (placeOfField[path] ?? path).split('.')) value = isJson(value) ? value[step] : undefined;
  return value === undefined ? (absent[path] ?? '') : String(value);
}
