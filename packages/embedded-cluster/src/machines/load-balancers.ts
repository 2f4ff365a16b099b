import type { DnsAnswer, RecordType } from '../outside/dns.ts';

/** The Network Load Balancer of one Service. Its targets are nodes, reached by the Service's node port, or pods. */
export interface LoadBalancer {
  readonly serviceKey: string;
  readonly hostname: string;
  /** One in each zone. */
  readonly addresses: readonly string[];
  readonly activeAt: number;
  /** Its listeners: the Service's port names by listener port. */
  readonly ports: Readonly<Record<number, string>>;
  readonly targets: readonly BalancerTarget[];
  /** externalTrafficPolicy Local: a node sends its connections to its own pods only. */
  readonly isLocal?: boolean;
  /** An Application Load Balancer: it passes on requests and answers itself where a target does not. */
  readonly isApplication?: true;
  /** Rounds of checks in a row that make a target unhealthy, where annotations say it. */
  readonly unhealthyAfter?: number;
  /** Of pods as targets: the numbers of their ports by the Service's port names. */
  readonly podPorts?: Readonly<Record<string, number>>;
}

export interface BalancerTarget {
  /** The instance of a node, or the address of a pod. */
  readonly id: string;
  /** The results of the last checks, newest first, as many as the threshold. */
  readonly checks: readonly boolean[];
  readonly healthy: boolean;
  /** Set while it is being deregistered: from this instant on it gets no new connection. */
  readonly drainedAt?: number;
}

/** A port of a Service by its name; '' is the name of a Service's only port. */
export interface ServicePort {
  readonly serviceKey: string;
  readonly portName: string;
  readonly isLocal: boolean;
  /** Of pods as targets: the number of their port. */
  readonly podPort?: number | undefined;
}

/** The cloud's load balancers. A controller registers the targets; the cloud checks their health. */
export interface LoadBalancers {
  ensure(serviceKey: string, wanted: Omit<LoadBalancer, 'serviceKey' | 'addresses' | 'targets'>): LoadBalancer;
  remove(serviceKey: string): void;
  setTargets(serviceKey: string, ids: readonly string[], drainedAt: number): void;
  /** One health check of every target; `accepts` makes it. */
  check(accepts: (targetId: string, port: ServicePort) => boolean): void;
  of(serviceKey: string): LoadBalancer | undefined;
  byAddress(address: string): LoadBalancer | undefined;
  /** DNS answers for the names of load balancers. */
  answer(name: string, type: RecordType): DnsAnswer;
  save(): readonly LoadBalancer[];
}

/**
 * aws-load-balancer-controller, defaults of the health check annotations: so many in a row make a target healthy or
 * unhealthy; of instances with externalTrafficPolicy Local two (pkg/service/model_build_target_group.go).
 */
const thresholdOf = ({ isLocal, podPorts }: Pick<LoadBalancer, 'isLocal' | 'podPorts'>): number =>
  isLocal === true && podPorts === undefined ? 2 : 3;
/** The TTL of the records of Elastic Load Balancing's names (Elastic Load Balancing user guide). */
export const elbTtlSeconds = 60;

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
        isLocal: wanted.isLocal === true,
        ...(wanted.podPorts === undefined ? {} : { podPorts: wanted.podPorts }),
        ...(wanted.isApplication && { isApplication: wanted.isApplication }),
        ...(wanted.unhealthyAfter === undefined ? {} : { unhealthyAfter: wanted.unhealthyAfter }),
        hostname: there?.hostname ?? wanted.hostname,
        activeAt: there?.activeAt ?? wanted.activeAt,
      };
      byService.set(serviceKey, next);
      return next;
    },
    remove: (serviceKey) => void byService.delete(serviceKey),
    setTargets: (serviceKey, ids, drainedAt) => {
      const there = byService.get(serviceKey);
      if (there !== undefined)
        byService.set(serviceKey, { ...there, targets: targetsOf(there, ids, drainedAt, now()) });
    },
    check: (accepts) => {
      for (const one of byService.values()) {
        const port = servicePort(one, Object.values(one.ports)[0] ?? '');
        const targets = one.targets.map((target) => checked(target, accepts(target.id, port), one));
        byService.set(one.serviceKey, { ...one, targets });
      }
    },
    of: (serviceKey) => byService.get(serviceKey),
    byAddress: (address) => [...byService.values()].find(({ addresses }) => addresses.includes(address)),
    answer: (name, type) => answerOf([...byService.values()], name, type),
    save: () => [...byService.values()],
  };
}

/** Where a connection to the listener of that port of the Service goes, whatever target is picked. */
export const servicePort = (
  { serviceKey, isLocal = false, podPorts }: LoadBalancer,
  portName: string,
): ServicePort => ({
  serviceKey,
  portName,
  isLocal,
  podPort: podPorts && (podPorts[portName] ?? 0),
});

function targetsOf(
  { targets }: LoadBalancer,
  wanted: readonly string[],
  drainedAt: number,
  at: number,
): readonly BalancerTarget[] {
  const kept = targets
    .filter((target) => at < (target.drainedAt ?? Number.POSITIVE_INFINITY))
    .map((target) => (wanted.includes(target.id) ? registered(target) : { drainedAt, ...target }));
  const known = new Set(kept.map(({ id }) => id));
  const added = wanted.filter((id) => !known.has(id)).map((id) => ({ id, checks: [], healthy: false }));
  return [...kept, ...added];
}

function registered({ id, checks, healthy }: BalancerTarget): BalancerTarget {
  return { id, checks, healthy };
}

/**
 * A target that was just registered with an Application Load Balancer is healthy after its first check (Elastic Load
 * Balancing, "Health checks for Application Load Balancer target groups").
 */
function checked(target: BalancerTarget, passed: boolean, balancer: LoadBalancer): BalancerTarget {
  const isFirst = balancer.isApplication === true && target.checks.length === 0;
  const usual = thresholdOf(balancer);
  const toUnhealthy = balancer.unhealthyAfter ?? usual;
  const threshold = passed ? (isFirst ? 1 : usual) : toUnhealthy;
  const checks = [passed, ...target.checks].slice(0, Math.max(usual, toUnhealthy));
  const last = checks.slice(0, threshold);
  const unanimous = last.length === threshold && last.every((check) => check === passed);
  return { ...target, checks, healthy: unanimous ? passed : target.healthy };
}

function answerOf(all: readonly LoadBalancer[], name: string, type: RecordType): DnsAnswer {
  const one = all.find(({ hostname }) => hostname === name);
  if (one === undefined) return { code: 'NXDOMAIN', records: [] };
  if (type !== 'A') return { code: 'NODATA', records: [] };
  return { code: 'NOERROR', records: one.addresses.map((value) => ({ type, value, ttlSeconds: elbTtlSeconds })) };
}

/** The targets for new connections: the healthy ones, or all of them if none is healthy (fail open). */
export function openTargets({ targets }: LoadBalancer, at: number): readonly BalancerTarget[] {
  const registered = targets.filter(({ drainedAt }) => at < (drainedAt ?? Number.POSITIVE_INFINITY));
  const healthy = registered.filter((target) => target.healthy);
  return healthy.length > 0 ? healthy : registered;
}
