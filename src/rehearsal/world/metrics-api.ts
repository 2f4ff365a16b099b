import type { Cluster } from '../../cluster/cluster.ts';
import type { PodMetrics } from '../../cluster/resources.ts';
import type { HttpRequest, HttpResponse } from '../../host/host.ts';
import { textResponse } from '../api-server/responses.ts';
import type { CpuMeter } from '../machines/cpu-meter.ts';
import type { Machines } from '../machines/machines.ts';
import { timestamp } from '../objects/timestamps.ts';

/** metrics-server behind the API server: what the pods of a namespace used, on average of its last scrape. */
export interface MetricsApi {
  /** Undefined when that path is not its own. */
  handle(request: HttpRequest): Promise<HttpResponse> | undefined;
}

export interface MetricsApiOptions {
  readonly cluster: Pick<Cluster, 'list'>;
  readonly machines: Pick<Machines, 'containersOf'>;
  readonly meter: CpuMeter;
  readonly scrapeSeconds: number;
}

export function createMetricsApi(options: MetricsApiOptions): MetricsApi {
  return {
    handle: ({ method, url }) => {
      const { pathname, searchParams } = new URL(url);
      const [, namespace] = /^\/apis\/metrics\.k8s\.io\/v1beta1\/namespaces\/([^/]+)\/pods$/.exec(pathname) ?? [];
      if (method !== 'GET' || namespace === undefined) return undefined;
      return answer(options, namespace, searchParams.get('labelSelector'));
    },
  };
}

async function answer(options: MetricsApiOptions, namespace: string, selector: string | null): Promise<HttpResponse> {
  const where = selector === null ? { namespace } : { namespace, labelSelector: selector };
  const pods = await options.cluster.list('Pod', where);
  const items = pods.flatMap(({ metadata }) => metricsOf(options, namespace, metadata.name));
  const list = { kind: 'PodMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items };
  return textResponse(200, () => JSON.stringify(list), { 'content-type': 'application/json' });
}

/** None of a pod that did not run through the whole of it, because usage is the difference between two scrapes. */
function metricsOf(
  { machines, meter, scrapeSeconds }: MetricsApiOptions,
  namespace: string,
  name: string,
): readonly Omit<PodMetrics, 'apiVersion' | 'kind'>[] {
  const { endedAt, rate } = meter.lastScrape();
  const ran = machines
    .containersOf(`${namespace}/${name}`)
    .filter(
      ({ startsAt, exitsAt }) =>
        startsAt <= endedAt - 1000 * scrapeSeconds && (exitsAt ?? Number.POSITIVE_INFINITY) > endedAt,
    );
  if (ran.length === 0) return [];
  const containers = ran.map((container) => ({
    name: container.name,
    usage: { cpu: `${Math.round(1e9 * rate(container.id))}n`, memory: '4Mi' },
  }));
  return [{ metadata: { name, namespace }, timestamp: timestamp(endedAt), window: `${scrapeSeconds}s`, containers }];
}
