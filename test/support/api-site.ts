import type { ApiServerOptions } from '../../packages/embedded-cluster/src/api-server/api-server.ts';
import { connect } from '../../src/cluster/client.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import type { Kind, Kinds, Resource } from '../../src/cluster/kinds.ts';
import type { DnsAnswer, Host } from '../../src/host/host.ts';
import type { Site } from '../../src/validation/site.ts';
import { type ApiHost, apiHost } from '../cluster/api-host.ts';

/** An API server without controllers, as a run sees it, and names that resolve as the test says. */
export interface ApiSite {
  readonly it: ApiHost;
  readonly site: Site;
  /** The same cluster, for the changes that the test makes. */
  readonly cluster: Cluster;
  /** Addresses by name; every other name does not exist. */
  readonly names: Map<string, readonly string[]>;
  /** What the resolver says of a name instead. */
  readonly silent: Map<string, 'SERVFAIL' | 'TIMEOUT'>;
  /** Creates the objects, each with its status. */
  put(...resources: readonly object[]): Promise<void>;
}

export function apiSite(main: (at: ApiSite) => Promise<void>, options: Partial<ApiServerOptions> = {}): Promise<void> {
  const it = apiHost(options);
  const names = new Map<string, readonly string[]>();
  const silent: ApiSite['silent'] = new Map();
  const resolve: Host['resolve'] = async ({ name, type }): Promise<DnsAnswer> => {
    const silence = silent.get(name);
    if (silence !== undefined) return { code: silence, records: [] };
    const found = names.get(name);
    if (found === undefined) return { code: 'NXDOMAIN', records: [] };
    const records = type === 'A' ? found.map((value) => ({ type, value, ttlSeconds: 60 })) : [];
    return { code: records.length === 0 ? 'NODATA' : 'NOERROR', records };
  };
  const host = { ...it.host, resolve } as unknown as Host;
  const cluster = it.server.cluster('test');
  const site = { host, cluster: connect(host, { server: 'https://api.example' }) } as Site;
  const put: ApiSite['put'] = async (...resources) => {
    for (const resource of resources) await putOne(cluster, resource as Resource);
  };
  return it.clock.run(() => main({ it, site, cluster, names, silent, put }));
}

async function putOne(cluster: Cluster, resource: Resource): Promise<void> {
  const { kind, metadata } = resource;
  const { namespace, name } = metadata;
  if (namespace !== undefined && (await cluster.get('Namespace', { name: namespace })) === undefined)
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await cluster.create(resource);
  if (!('status' in resource) || resource.status === undefined) return;
  const where = namespace === undefined ? { name } : { namespace, name };
  const value = { status: resource.status };
  await cluster.patch(kind as Kind & keyof Kinds, where, { type: 'merge', value }, { subresource: 'status' });
}
