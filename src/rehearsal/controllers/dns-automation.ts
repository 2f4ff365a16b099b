import type { Ingress } from '../../cluster/resources.ts';
import type { RecordChange, RecordSet, Zone } from '../dns/zone.ts';
import { isWithin } from '../dns/zone.ts';
import type { Controller } from '../site.ts';
import { loop } from './loop.ts';

/** external-dns: Ingress → records of the zone, once a minute, with the TXT registry (facts 3.7). Policy sync, CNAMEs. */
export function dnsAutomation(zone: Zone): Controller {
  return loop({
    name: 'dns-automation',
    period: 'dnsAutomationLoop',
    pass: async (site) => {
      const wanted = [...site.cache.list('Ingress')].flatMap((ingress) => recordsOf(ingress, zone.name));
      const changes = changesTo(zone.list(), wanted);
      if (changes.length > 0) zone.change(changes);
    },
  });
}

const hostnameAnnotations = ['external-dns.alpha.kubernetes.io/hostname', 'external-dns.kubernetes.io/hostname'];
const ttlAnnotations = ['external-dns.alpha.kubernetes.io/ttl', 'external-dns.kubernetes.io/ttl'];
/** external-dns for AWS, records that are not aliases. */
const defaultTtlSeconds = 300;
const ownerId = 'default';

/** What an Ingress asks for: a CNAME to its load balancer for each of its names, and who owns it. */
export function recordsOf({ metadata, spec, status }: Ingress, zone: string): readonly RecordSet[] {
  const target = status?.loadBalancer?.ingress?.[0]?.hostname;
  const annotation = (names: readonly string[]) =>
    names.map((name) => metadata.annotations?.[name]).find((value) => value !== undefined);
  const named = (annotation(hostnameAnnotations) ?? '').split(',').map((name) => name.trim());
  const names = new Set([...named, ...(spec.rules ?? []).map(({ host }) => host ?? '')]);
  if (target === undefined) return [];
  const ttlSeconds = Number.parseInt(annotation(ttlAnnotations) ?? String(defaultTtlSeconds), 10);
  const resource = `ingress/${metadata.namespace}/${metadata.name}`;
  const value = `"heritage=external-dns,external-dns/owner=${ownerId},external-dns/resource=${resource}"`;
  return [...names]
    .filter((name) => name !== '' && isWithin(name, zone))
    .flatMap((name) => [
      { name, type: 'CNAME', ttlSeconds, values: [target] },
      { name: registryName(name), type: 'TXT', ttlSeconds: defaultTtlSeconds, values: [value] },
    ]);
}

/** The name of the TXT record that says who owns a CNAME. */
const registryName = (name: string): string => `cname-${name}`;

/** Creates and corrects what is wanted, deletes what is ours and wanted no more; records of others stay. */
export function changesTo(there: readonly RecordSet[], wanted: readonly RecordSet[]): readonly RecordChange[] {
  const find = (sets: readonly RecordSet[], { name, type }: Pick<RecordSet, 'name' | 'type'>) =>
    sets.find((set) => set.name === name && set.type === type);
  const owned = (name: string) =>
    find(there, { name: registryName(name), type: 'TXT' })?.values[0]?.includes(`external-dns/owner=${ownerId}`) ===
    true;
  const isForeign = (set: RecordSet) => set.type === 'CNAME' && find(there, set) !== undefined && !owned(set.name);
  const foreign = new Set(wanted.filter(isForeign).flatMap(({ name }) => [name, registryName(name)]));
  const stale = there.filter((set) => find(wanted, set) === undefined && isOurs(set, owned));
  return [
    ...stale.map((set) => ({ action: 'delete', set }) as const),
    ...wanted
      .filter((set) => !foreign.has(set.name) && JSON.stringify(find(there, set)) !== JSON.stringify(set))
      .map((set) => ({ action: 'upsert', set }) as const),
  ];
}

function isOurs({ name, type }: RecordSet, owned: (name: string) => boolean): boolean {
  return type === 'TXT'
    ? name.startsWith('cname-') && owned(name.slice('cname-'.length))
    : type === 'CNAME' && owned(name);
}
