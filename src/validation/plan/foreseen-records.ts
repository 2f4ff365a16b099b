import type { RecordSet } from '../../cloud/cloud.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { entranceOf, type Settings } from '../settings.ts';
import { placeholders } from './plan-placeholders.ts';

/** The host name of an AWS load balancer: external-dns makes aliases to those (docs/facts/dns.md, "external-dns"). */
const loadBalancer = /\.elb\.([a-z0-9-]+\.)?amazonaws\.com(\.cn)?$/;

/** The records that external-dns will create: aliases A and AAAA for a load balancer of AWS, unless it prefers a CNAME. */
export async function foreseenRecords(cluster: Cluster, settings: Settings): Promise<readonly RecordSet[]> {
  const { url, dns } = settings;
  const { recordValue } = placeholders;
  const record = { name: new URL(url).hostname, values: [recordValue], whole: '' };
  if (!(await makesAliases(cluster, settings))) return [{ ...record, type: 'CNAME', ttlSeconds: dns.ttl }];
  const alias = { zoneId: recordValue, name: recordValue, evaluatesTargetHealth: true };
  return ['A', 'AAAA'].map((type) => ({ ...record, type, ttlSeconds: null, alias }));
}

async function makesAliases(cluster: Cluster, settings: Settings): Promise<boolean> {
  const { namespace: of, selector } = settings.dnsAutomation;
  const [service, automation] = await Promise.all([
    cluster.get('Service', entranceOf(settings)),
    cluster.list('Pod', { namespace: of, labelSelector: selector }),
  ]);
  const hosts = (service?.status?.loadBalancer?.ingress ?? []).map(({ hostname = '' }) => hostname);
  const containers = automation.flatMap(({ spec }) => spec.containers);
  const prefersCname = containers.some(({ args = [] }) => args.some((arg) => /^--aws-prefer-cname(=true)?$/.test(arg)));
  return hosts.some((host) => loadBalancer.test(host)) && !prefersCname;
}
