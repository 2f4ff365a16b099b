import type { DnsAnswer, RecordType } from '../../host/host.ts';

/** A Network Load Balancer in front of one Service: instance targets behind its node port. */
export interface LoadBalancer {
  readonly serviceKey: string;
  readonly hostname: string;
  /** One a zone. */
  readonly addresses: readonly string[];
  readonly activeAt: number;
  /** Its listeners: the port outside, and the name of the Service's port behind it. */
  readonly ports: Readonly<Record<number, string>>;
  readonly targets: readonly Target[];
}
export interface Target {
  readonly instanceId: string;
  /** Only the last threshold's worth of checks is remembered, newest first. */
  readonly checks: readonly boolean[];
  readonly healthy: boolean;
  /** Being deregistered: no new connection from here on. */
  readonly drainedAt?: number;
}

/** A port of a Service by its name; '' is the name of an only port. */
export interface ServicePort {
  readonly serviceKey: string;
  readonly portName: string;
}

/** The cloud's load balancers as they are; a controller registers targets, the health checks are the cloud's own. */
export interface LoadBalancers {
  ensure(
    serviceKey: string,
    wanted: { readonly ports: Readonly<Record<number, string>>; readonly activeAt: number; readonly hostname: string },
  ): LoadBalancer;
  remove(serviceKey: string): void;
  setTargets(serviceKey: string, instanceIds: readonly string[], drainedAt: number): void;
  /** One round of health checks of every target. */
  check(answers: (instanceId: string, port: ServicePort) => boolean): void;
  of(serviceKey: string): LoadBalancer | undefined;
  byAddress(address: string): LoadBalancer | undefined;
  /** The cloud's zone of load balancer names. */
  answer(name: string, type: RecordType): DnsAnswer;
  save(): readonly LoadBalancer[];
}

/** aws-load-balancer-controller: three checks in a row make a target healthy or unhealthy (facts 3.9). */
const threshold = 3;
/** Elastic Load Balancing's names have records with this TTL. */
const ttlSeconds = 60;

export function createLoadBalancers(now: () => number, saved: readonly LoadBalancer[] = []): LoadBalancers {
  const byService = new Map(saved.map((one) => [one.serviceKey, one]));
  return {
    ensure: (serviceKey, wanted) => {
      const there = byService.get(serviceKey);
      const ordinal = byService.size + 1;
      const addresses = there?.addresses ?? [1, 2, 3].map((zone) => `52.${ordinal}.${zone}.10`);
      const next = {
        targets: [],
        ...there,
        serviceKey,
        addresses,
        ports: wanted.ports,
        hostname: there?.hostname ?? wanted.hostname,
        activeAt: there?.activeAt ?? wanted.activeAt,
      };
      byService.set(serviceKey, next);
      return next;
    },
    remove: (serviceKey) => void byService.delete(serviceKey),
    setTargets: (serviceKey, instanceIds, drainedAt) => {
      const there = byService.get(serviceKey);
      if (there !== undefined)
        byService.set(serviceKey, { ...there, targets: targetsOf(there, instanceIds, drainedAt, now()) });
    },
    check: (answers) => {
      for (const one of byService.values()) {
        const port = { serviceKey: one.serviceKey, portName: Object.values(one.ports)[0] ?? '' };
        const targets = one.targets.map((target) => checked(target, answers(target.instanceId, port)));
        byService.set(one.serviceKey, { ...one, targets });
      }
    },
    of: (serviceKey) => byService.get(serviceKey),
    byAddress: (address) => [...byService.values()].find(({ addresses }) => addresses.includes(address)),
    answer: (name, type) => answerOf([...byService.values()], name, type),
    save: () => [...byService.values()],
  };
}

function targetsOf(
  { targets }: LoadBalancer,
  wanted: readonly string[],
  drainedAt: number,
  at: number,
): readonly Target[] {
  const kept = targets
    .filter((target) => at < (target.drainedAt ?? Number.POSITIVE_INFINITY))
    .map((target) => (wanted.includes(target.instanceId) ? registered(target) : { drainedAt, ...target }));
  const known = new Set(kept.map(({ instanceId }) => instanceId));
  const added = wanted.filter((id) => !known.has(id)).map((instanceId) => ({ instanceId, checks: [], healthy: false }));
  return [...kept, ...added];
}

function registered({ instanceId, checks, healthy }: Target): Target {
  return { instanceId, checks, healthy };
}

function checked(target: Target, passed: boolean): Target {
  const checks = [passed, ...target.checks].slice(0, threshold);
  const unanimous = checks.length === threshold && checks.every((check) => check === passed);
  return { ...target, checks, healthy: unanimous ? passed : target.healthy };
}

function answerOf(all: readonly LoadBalancer[], name: string, type: RecordType): DnsAnswer {
  const one = all.find(({ hostname }) => hostname === name);
  if (one === undefined) return { code: 'NXDOMAIN', records: [] };
  if (type !== 'A') return { code: 'NODATA', records: [] };
  return { code: 'NOERROR', records: one.addresses.map((value) => ({ type, value, ttlSeconds })) };
}

/** Where a new connection may go: the healthy targets, or all of them when none is (fail open). */
export function openTargets({ targets }: LoadBalancer, at: number): readonly Target[] {
  const registered = targets.filter(({ drainedAt }) => at < (drainedAt ?? Number.POSITIVE_INFINITY));
  const healthy = registered.filter((target) => target.healthy);
  return healthy.length > 0 ? healthy : registered;
}
