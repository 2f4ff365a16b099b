import type { RecordChange, RecordSet, Zone } from '../dns/zone.ts';
import { isWithin } from '../dns/zone.ts';
import type { Ingress, Service } from '../kubernetes/resources.ts';
import { loop } from '../reconciling/loop.ts';
import type { Controller } from '../setup/site.ts';

/**
 * external-dns: Ingresses and Services of type LoadBalancer → records of the zone, once a minute, with `--policy=sync`,
 * `--registry=txt` and `--aws-prefer-cname`: a CNAME for each name, or aliases if the object asks for them.
 */
export function dnsAutomation(zone: Zone): Controller {
  return loop({
    name: 'dns-automation',
    period: 'dnsAutomationLoop',
    pass: async (site) => {
      const services = [...site.cache.list('Service')].filter(({ spec }) => spec.type === 'LoadBalancer');
      const sources = [...site.cache.list('Ingress'), ...services];
      const wanted = sources.flatMap((source) => recordsOf(source, zone.name));
      const changes = changesTo(zone.list(), wanted);
      if (changes.length > 0) zone.change(changes);
    },
  });
}

const hostnameAnnotations = ['external-dns.alpha.kubernetes.io/hostname', 'external-dns.kubernetes.io/hostname'];
const ttlAnnotations = ['external-dns.alpha.kubernetes.io/ttl', 'external-dns.kubernetes.io/ttl'];
const controllerAnnotations = ['external-dns.alpha.kubernetes.io/controller', 'external-dns.kubernetes.io/controller'];
/** external-dns, source/annotations: an object that names another controller is left alone. */
const ownController = 'dns-controller';
const aliasAnnotations = ['external-dns.alpha.kubernetes.io/alias', 'external-dns.kubernetes.io/alias'];
/** Elastic Load Balancing endpoints (AWS General Reference): Network Load Balancers of us-east-1. */
const loadBalancerZoneId = 'Z26RNL4JYFTOTI';
/** external-dns, provider/aws: records that are not aliases. */
const defaultTtlSeconds = 300;
const ownerId = 'default';

/**
 * For each name of the object in the zone, those of the rules of an Ingress too: a CNAME or aliases to its load
 * balancer, and the registry's TXT record.
 */
export function recordsOf(source: Ingress | Service, zone: string): readonly RecordSet[] {
  const { metadata, status } = source;
  const target = status?.loadBalancer?.ingress?.[0]?.hostname;
  const annotation = (names: readonly string[]) =>
    names.map((name) => metadata.annotations?.[name]).find((value) => value !== undefined);
  const named = (annotation(hostnameAnnotations) ?? '').split(',').map((name) => name.trim());
  const rules = source.kind === 'Ingress' ? (source.spec.rules ?? []) : [];
  const names = new Set([...named, ...rules.map(({ host }) => host ?? '')]);
  if (target === undefined || (annotation(controllerAnnotations) ?? ownController) !== ownController) return [];
  const ttlSeconds = ttlOf(annotation(ttlAnnotations));
  const resource = `${source.kind.toLowerCase()}/${metadata.namespace}/${metadata.name}`;
  const value = `"heritage=external-dns,external-dns/owner=${ownerId},external-dns/resource=${resource}"`;
  const toTarget: readonly Omit<RecordSet, 'name'>[] =
    annotation(aliasAnnotations) === 'true'
      ? (['A', 'AAAA'] as const).map((type) => ({ type, ttlSeconds: null, values: [target], alias: toLoadBalancer }))
      : [{ type: 'CNAME', ttlSeconds, values: [target] }];
  return [...names]
    .filter((name) => name !== '' && isWithin(name, zone))
    .flatMap((name) => [
      ...toTarget.map((set) => ({ name, ...set })),
      { name: registryName(name), type: 'TXT', ttlSeconds: defaultTtlSeconds, values: [value] },
    ]);
}

/**
 * The annotation's seconds, `60`, or duration, `1h30m`; what is neither, or not over 0, is left out
 * (source/annotations, `TTLFromAnnotations`).
 */
function ttlOf(written = ''): number {
  const parts = [...written.matchAll(/(\d+(?:\.\d+)?)(h|m|s)/g)];
  const duration = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (unitSeconds[unit ?? ''] ?? 0), 0);
  const isDuration = parts.map(([part]) => part).join('') === written;
  const seconds = /^\d+$/.test(written) ? Number(written) : isDuration ? Math.floor(duration) : 0;
  return seconds >= 1 && seconds <= mostTtlSeconds ? seconds : defaultTtlSeconds;
}

const unitSeconds: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };
/** RFC 2181, section 8. */
const mostTtlSeconds = 2 ** 31 - 1;

const toLoadBalancer = { zoneId: loadBalancerZoneId, evaluatesTargetHealth: true } as const;

/** The name of the registry's TXT record; external-dns uses the prefix of a CNAME for its aliases too. */
const registryName = (name: string): string => `cname-${name}`;

/**
 * The changes that create and correct the wanted records and delete other records that it owns; foreign records stay.
 */
export function changesTo(there: readonly RecordSet[], wanted: readonly RecordSet[]): readonly RecordChange[] {
  const find = (sets: readonly RecordSet[], { name, type }: Pick<RecordSet, 'name' | 'type'>) =>
    sets.find((set) => set.name === name && set.type === type);
  const owned = (name: string) =>
    find(there, { name: registryName(name), type: 'TXT' })?.values[0]?.includes(`external-dns/owner=${ownerId}`) ===
    true;
  const isForeign = (set: RecordSet) => set.type !== 'TXT' && find(there, set) !== undefined && !owned(set.name);
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
    : ['A', 'AAAA', 'CNAME'].includes(type) && owned(name);
}
