import { isJson, type Json } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import type { Api, ApiRequest } from './api.ts';
import { getObject } from './read.ts';
import { fieldCauses, refusals } from './refusals.ts';
import { changeObject } from './update.ts';

/** The Scale (autoscaling/v1) of a workload. */
export function scaleOf({ metadata, spec = {}, status = {} }: StoredObject): Json {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    // Go's JSON leaves out the zero here (omitempty), and not in the status.
    spec: spec.replicas ? { replicas: spec.replicas } : {},
    status: { replicas: status.replicas ?? 0, selector: selectorText(spec.selector) },
  };
}

/** Applies `change` to the Scale of the workload and stores the new replicas, nothing else; returns the new Scale. */
export function changeScale(api: Api, request: ApiRequest, change: (scale: Json) => unknown): Json {
  const workload = getObject(api, request);
  const scale = change(scaleOf(workload));
  const { spec, metadata } = isJson(scale) ? scale : {};
  const replicas = isJson(spec) ? (spec.replicas ?? 0) : 0;
  const resourceVersion = isJson(metadata) ? metadata.resourceVersion : undefined;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0)
    throw refusals.invalid({ ...request, served: { ...request.served, kind: 'Scale', group: 'autoscaling' } }, [
      fieldCauses.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  if (typeof resourceVersion === 'string' && resourceVersion !== workload.metadata.resourceVersion)
    throw refusals.modified(request);
  return scaleOf(changeObject(api, request, workload, { ...workload, spec: { ...workload.spec, replicas } }));
}

/** What of the workload an applied Scale says: its replicas. */
export function workloadOf({ metadata: { name } }: StoredObject, scale: unknown): Json {
  const { replicas = 0 } = isJson(scale) && isJson(scale.spec) ? scale.spec : {};
  return { metadata: { name }, spec: { replicas } };
}

function selectorText(selector: unknown): string {
  const { matchLabels, matchExpressions } = isJson(selector) ? selector : {};
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
