import { isJson, type Json } from '../objects/json.ts';
import { parseYamlText } from './decoding/parse.ts';
import { served } from './served.ts';
import type { WireRequest } from './wire-request.ts';

const first = 'autoscaling/v1';
const stored = 'autoscaling/v2';

/**
 * A HorizontalPodAutoscaler is stored in v2: a request to v1 becomes one to v2 (kubernetes,
 * pkg/apis/autoscaling/v1/conversion.go). What v1 has no field for is not shown there; every other request stays as it
 * is.
 */
export function autoscalerAtStoredVersion(request: WireRequest): WireRequest {
  if (request.served.apiVersion !== first) return request;
  const body = request.body === undefined || request.body === '' ? request.body : storedBody(request, request.body);
  const ownedAs = { served: request.served, of: asFirst };
  return { ...request, served: served.HorizontalPodAutoscaler, body, ownedAs, shown: asFirst };
}

/** As JSON; what cannot be read, or is no object, stays and is refused later. */
function storedBody({ verb }: WireRequest, body: string): string {
  if (verb === 'delete' || verb === 'deletecollection') return body;
  const parsed = parseYamlText(body);
  if ('error' in parsed || !isJson(parsed.value)) return body;
  const { apiVersion, spec } = parsed.value;
  const version = apiVersion === first ? { apiVersion: stored } : {};
  return JSON.stringify({ ...parsed.value, ...version, ...(isJson(spec) ? { spec: storedSpec(spec) } : {}) });
}

function storedSpec({ targetCPUUtilizationPercentage: averageUtilization, ...spec }: Json): Json {
  if (averageUtilization === undefined || averageUtilization === null) return spec;
  const resource = { name: 'cpu', target: { type: 'Utilization', averageUtilization } };
  return { ...spec, metrics: [{ type: 'Resource', resource }] };
}

/** An autoscaler, a list of them or what a watch says of one; anything else as it is. */
function asFirst(value: object): object {
  const { kind, apiVersion, items, object } = value as Json;
  if (isJson(object)) return { ...value, object: asFirst(object) };
  if (apiVersion !== stored) return value;
  if (Array.isArray(items))
    return { ...value, apiVersion: first, items: items.map((item) => shownParts(item as Json)) };
  return kind === 'HorizontalPodAutoscaler' ? { ...shownParts(value as Json), apiVersion: first } : value;
}

function shownParts(autoscaler: Json): Json {
  const { metrics, behavior: _, ...spec } = isJson(autoscaler.spec) ? autoscaler.spec : {};
  const { currentMetrics, conditions: __, ...status } = isJson(autoscaler.status) ? autoscaler.status : {};
  const target = cpuOf(metrics, 'target');
  const current = cpuOf(currentMetrics, 'current');
  return {
    ...autoscaler,
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: {
      currentReplicas: 0,
      ...status,
      ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }),
    },
  };
}

/** The percentage in the first metric of the pods' CPU. */
function cpuOf(metrics: unknown, part: 'target' | 'current'): unknown {
  const resources = (Array.isArray(metrics) ? metrics : []).map((metric) => (isJson(metric) ? metric.resource : {}));
  const cpu = resources.find((resource) => isJson(resource) && resource.name === 'cpu');
  const found = isJson(cpu) ? cpu[part] : undefined;
  return isJson(found) ? found.averageUtilization : undefined;
}
