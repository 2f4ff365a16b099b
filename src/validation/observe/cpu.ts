import type { Pod, PodMetrics } from '../../cluster/resources.ts';
import { OperationError } from '../../host/errors.ts';
import { parseDuration } from '../../settings/duration.ts';
import type { CpuNotMeasured, CpuSeen } from '../record/observed.ts';
import type { Observe, Observing } from './observation.ts';
import { onlyChanges } from './only-changes.ts';
import { applicationSelector } from './snapshot.ts';

/**
 * A third of metrics-server's own interval of 15 s (`--metric-resolution`), so that none of its measurements is missed.
 */
const intervalSeconds = 5;

/** The CPU usage of the application's pods from metrics.k8s.io, each measurement once. */
export const observeCpu: Observe = async (observing, onObserved, signal) => {
  const onMeasured = onlyChanges(onObserved, (measured) => JSON.stringify(measured));
  while (!signal.aborted) {
    const measured = await readUsage(observing);
    if (measured !== undefined) onMeasured(measured);
    await observing.site.host.clock.sleep(intervalSeconds, signal).catch(() => undefined);
  }
};

async function readUsage({ site, settings, timeline }: Observing): Promise<CpuSeen | CpuNotMeasured | undefined> {
  const where = { namespace: settings.namespace, labelSelector: applicationSelector(settings) };
  try {
    return cpuOf(await site.cluster.list('PodMetrics', where), timeline.now().pods);
  } catch (error) {
    if (error instanceof OperationError) return { type: 'cpu-not-measured', because: error.message };
    throw error;
  }
}

/** Undefined while nothing is measured yet. */
function cpuOf(metrics: readonly PodMetrics[], pods: readonly Pod[]): CpuSeen | undefined {
  if (metrics.length === 0) return undefined;
  const windows = metrics.flatMap(({ window }) => parseDuration(window) ?? []);
  return {
    type: 'cpu-seen',
    measuredAt: Math.max(...metrics.map(({ timestamp }) => Date.parse(timestamp))),
    ...(windows.length === 0 ? {} : { windowSeconds: Math.max(...windows) }),
    pods: metrics.map(({ metadata, containers }) => ({
      name: metadata.name,
      millicores: sum(containers.map(({ usage }) => millicores(usage.cpu ?? '0'))),
      limitMillicores: limitOf(pods.find((pod) => pod.metadata.name === metadata.name)),
    })),
  };
}

/** In millicores; null if a container has no limit, because it may use all there is. */
function limitOf(pod: Pod | undefined): number | null {
  const limits = (pod?.spec.containers ?? []).map(({ resources }) => resources?.limits?.cpu);
  const known = limits.filter((limit) => limit !== undefined);
  return known.length === 0 || known.length < limits.length ? null : sum(known.map(millicores));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** A quantity of CPU in thousandths of a core: `250m`, `1`, `0.5`, and metrics-server's own `1834567n` and `92u`. */
export function millicores(quantity: string): number {
  const [, digits = '0', unit = ''] = /^([\d.]+)([mun]?)$/.exec(quantity) ?? [];
  return (1000 * Number(digits)) / (unitsOfCore[unit] ?? 1);
}

/** How many of each unit make one core. */
const unitsOfCore: Readonly<Record<string, number>> = { m: 1e3, u: 1e6, n: 1e9 };
