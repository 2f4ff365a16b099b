import type { Cluster } from '../../cluster/cluster.ts';
import { readable } from '../../cluster/readable.ts';
import { hasIngress, ingressName, type Settings } from '../settings.ts';

/**
 * Annotations of ingress-nginx that answer a client of many requests with an error (kubernetes.github.io/ingress-nginx,
 * Annotations, "Rate Limiting").
 */
const limits = /\/(limit-(connections|rps|rpm))$/;

/**
 * The annotation of the application's Ingress by which faster probes would be refused; undefined without one, and where
 * the Ingress may not be read.
 */
export async function requestLimit(cluster: Pick<Cluster, 'get'>, settings: Settings): Promise<string | undefined> {
  if (!hasIngress(settings)) return undefined;
  const where = { namespace: settings.namespace, name: ingressName(settings) };
  const ingress = await readable(cluster.get('Ingress', where));
  const names = Object.keys(ingress?.metadata.annotations ?? {});
  return names.flatMap((name) => limits.exec(name)?.[1] ?? [])[0];
}
