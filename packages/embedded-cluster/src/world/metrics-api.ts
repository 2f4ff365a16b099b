import { failure, jsonResponse, textResponse } from '../api-server/responses.ts';
import { ApiError, type Cluster } from '../kubernetes/cluster.ts';
import type { PodMetrics } from '../kubernetes/resources.ts';
import { podUsage, type UsageSources } from '../machines/pod-metrics.ts';
import { timestamp } from '../objects/timestamps.ts';
import type { HttpRequest, HttpResponse } from '../outside/http.ts';

/** metrics-server behind the API server: the average CPU usage of a namespace's pods over the last scrape interval. */
export interface MetricsApi {
  /** Undefined when the path is not one of metrics.k8s.io. */
  handle(request: HttpRequest): Promise<HttpResponse> | undefined;
}

export interface MetricsApiOptions extends UsageSources {
  readonly cluster: Pick<Cluster, 'list'>;
}

export function createMetricsApi(options: MetricsApiOptions): MetricsApi {
  return {
    handle: ({ method, url }) => {
      // Every request to the API server passes here.
      if (!url.includes('/apis/metrics.k8s.io/') || !URL.canParse(url)) return undefined;
      const { pathname, searchParams } = new URL(url);
      const [, namespace] = /^\/apis\/metrics\.k8s\.io\/v1beta1\/namespaces\/([^/]+)\/pods$/.exec(pathname) ?? [];
      if (method !== 'GET' || namespace === undefined) return undefined;
      return answer(options, namespace, searchParams.get('labelSelector')).catch(refused);
    },
  };
}

/** What the API server refuses, such as a wrong selector, is refused here. */
function refused(error: unknown): HttpResponse {
  if (!(error instanceof ApiError)) throw error;
  return jsonResponse(error.status, { json: () => failure(error) }, { 'content-type': 'application/json' });
}

async function answer(options: MetricsApiOptions, namespace: string, selector: string | null): Promise<HttpResponse> {
  const selectors = selector === null ? { namespace } : { namespace, labelSelector: selector };
  const pods = await options.cluster.list('Pod', selectors);
  const items = pods.flatMap(({ metadata }) => metricsOf(options, namespace, metadata.name));
  const list = { kind: 'PodMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items };
  return textResponse(200, () => JSON.stringify(list), { 'content-type': 'application/json' });
}

function metricsOf(
  options: MetricsApiOptions,
  namespace: string,
  name: string,
): readonly Omit<PodMetrics, 'apiVersion' | 'kind'>[] {
  const used = podUsage(options, `${namespace}/${name}`);
  if (used === undefined) return [];
  const containers = used.containers.map((container) => ({
    name: container.name,
    usage: { cpu: `${Math.round(1e9 * container.cores)}n`, memory: '4Mi' },
  }));
  const window = `${used.windowSeconds}s`;
  return [{ metadata: { name, namespace }, timestamp: timestamp(used.endedAt), window, containers }];
}
