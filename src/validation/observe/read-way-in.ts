import type { ClusterClient } from '../../cluster/client.ts';
import { type Gateway, gatewayPlaces, type HttpRoute } from '../../cluster/gateway-api.ts';
import { readable } from '../../cluster/readable.ts';
import type { Ingress } from '../../cluster/resources.ts';
import { type Settings, wayInOf } from '../settings.ts';

/** Through which visitors come to the application's Service. */
export type WayIn = Ingress | HttpRoute;

/**
 * The Ingress or the HTTPRoute of the settings; undefined where it is not there, or visitors come through the Service
 * itself.
 */
export async function readWayIn(cluster: ClusterClient, settings: Settings): Promise<WayIn | undefined> {
  const way = wayInOf(settings);
  if (way === undefined) return undefined;
  const at = { namespace: settings.namespace, name: way.name };
  if (way.kind === 'Ingress') return cluster.get('Ingress', at);
  return (await cluster.objectsOf(gatewayPlaces.HTTPRoute).get(at)) as HttpRoute | undefined;
}

/** The Gateways that the route names, without those that are not there or that the caller may not read. */
export async function readGateways(cluster: ClusterClient, { metadata, spec }: HttpRoute): Promise<readonly Gateway[]> {
  const named = (spec?.parentRefs ?? []).filter(({ kind = 'Gateway' }) => kind === 'Gateway');
  const places = new Map(
    named.map(({ namespace = metadata.namespace, name }) => [
      `${namespace}/${name}`,
      { name, ...(namespace === undefined ? {} : { namespace }) },
    ]),
  );
  const found = await Promise.all(
    [...places.values()].map((at) => readable(cluster.objectsOf(gatewayPlaces.Gateway).get(at))),
  );
  return found.flatMap((gateway) => (gateway === undefined ? [] : [gateway as Gateway]));
}
