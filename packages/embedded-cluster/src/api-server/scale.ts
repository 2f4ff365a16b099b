import { isJson, type Json } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import type { Api, ApiRequest } from './api.ts';
import { requireNamed, requireSamePlace } from './create.ts';
import type { ScalePaths } from './kinds/served-kind.ts';
import { getObject } from './read.ts';
import { fieldCauses, refusals } from './refusals.ts';
import type { Served } from './served.ts';
import { changeObject } from './update.ts';

/** All built-in kinds have it where Deployments do. */
const ofWorkloads: ScalePaths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

/** The Scale (autoscaling/v1) of a workload. */
export function scaleOf(workload: StoredObject, { scale: paths }: Pick<Served, 'scale'>): Json {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = workload.metadata;
  const { specReplicasPath, statusReplicasPath } = paths ?? ofWorkloads;
  const replicas = valueAt(workload, specReplicasPath);
  const selector = paths === undefined ? selectorText(workload.spec?.selector) : customSelector(workload, paths);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp },
    // Go's JSON leaves out the zero here (omitempty), and not in the status.
    spec: replicas ? { replicas } : {},
    status: { replicas: valueAt(workload, statusReplicasPath) ?? 0, ...(selector !== undefined && { selector }) },
  };
}

/**
 * The Scale that a client reads; a custom resource without the field that its definition names has none
 * (apiextensions-apiserver, scaleFromCustomResource).
 */
export function readScale(request: ApiRequest, workload: StoredObject): Json {
  const path = request.served.scale?.specReplicasPath;
  if (path !== undefined && valueAt(workload, path) === undefined)
    throw refusals.internal(request, `the spec replicas field ${JSON.stringify(path)} does not exist`);
  return scaleOf(workload, request.served);
}

function customSelector(workload: StoredObject, { labelSelectorPath }: ScalePaths): string | undefined {
  const selector = labelSelectorPath === undefined ? undefined : valueAt(workload, labelSelectorPath);
  return typeof selector === 'string' && selector !== '' ? selector : undefined;
}

const stepsOf = (path: string): readonly string[] => path.split('.').filter((step) => step !== '');

function valueAt(object: Json, path: string): unknown {
  return stepsOf(path).reduce((value: unknown, step) => (isJson(value) ? value[step] : undefined), object);
}

function withValueAt(object: Json, [step = '', ...more]: readonly string[], value: unknown): Json {
  const member = object[step];
  return { ...object, [step]: more.length === 0 ? value : withValueAt(isJson(member) ? member : {}, more, value) };
}

/** Applies `change` to the Scale of the workload and stores the new replicas, nothing else; returns the new Scale. */
export function changeScale(api: Api, request: ApiRequest, change: (scale: Json) => unknown): Json {
  const { served } = request;
  const workload = getObject(api, request);
  const scale = change(scaleOf(workload, served));
  const { spec, metadata } = isJson(scale) ? scale : {};
  requireCurrent(request, workload, isJson(metadata) ? metadata : {});
  const replicas = sentReplicas(request, isJson(spec) ? spec : {});
  const { specReplicasPath } = served.scale ?? ofWorkloads;
  const changed = withValueAt(workload, stepsOf(specReplicasPath), replicas) as StoredObject;
  // Replicas that a custom resource did not have before get no owner (apimachinery, managedfields/scalehandler.go).
  const isNew = valueAt(workload, specReplicasPath) === undefined;
  const of = isNew
    ? (object: object) => withValueAt(object as Json, stepsOf(specReplicasPath), undefined)
    : withoutNone(specReplicasPath);
  const ownedAs = { served, of };
  return scaleOf(changeObject(api, { ...request, ownedAs }, workload, changed), served);
}

/** A Scale is of the object in the path, and of its present version if it names one. */
function requireCurrent(request: ApiRequest, workload: StoredObject, metadata: Json): void {
  requireNamed(request, metadata);
  requireSamePlace(request, { metadata });
  const { resourceVersion } = metadata;
  if (typeof resourceVersion === 'string' && resourceVersion !== workload.metadata.resourceVersion)
    throw refusals.modified(request);
}

function sentReplicas(request: ApiRequest, { replicas = 0 }: Json): number {
  if (typeof replicas === 'number' && Number.isInteger(replicas) && replicas >= 0) return replicas;
  throw refusals.invalid({ ...request, served: { ...request.served, kind: 'Scale', group: 'autoscaling' } }, [
    fieldCauses.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
  ]);
}

/** A Scale of no replicas does not name them, so that nobody owns them. */
const withoutNone = (path: string) => (workload: object) =>
  valueAt(workload as Json, path) === 0 ? withValueAt(workload as Json, stepsOf(path), undefined) : workload;

/** What of the workload an applied Scale says: its replicas. */
export function workloadOf({ metadata: { name } }: StoredObject, scale: unknown): Json {
  const { replicas = 0 } = isJson(scale) && isJson(scale.spec) ? scale.spec : {};
  return { metadata: { name }, spec: { replicas } };
}

/** A ReplicationController has the labels alone. */
function selectorText(selector: unknown): string {
  const sent: Json = isJson(selector) ? selector : {};
  const isPlain = Object.values(sent).every((value) => typeof value === 'string');
  const { matchLabels, matchExpressions } = isPlain ? { matchLabels: sent, matchExpressions: [] } : sent;
  const pairs = Object.entries((matchLabels ?? {}) as Readonly<Record<string, string>>);
  const expressions = (matchExpressions ?? []) as readonly { key: string; operator: string; values?: string[] }[];
  return [
    ...pairs.map(([key, value]) => `${key}=${value}`),
    ...expressions.map(({ key, operator, values = [] }) => expressionText(key, operator, values)),
  ].join(',');
}

function expressionText(key: string, operator: string, values: readonly string[]): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator.toLowerCase()} (${values.join(',')})`;
}
