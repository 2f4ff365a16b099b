import { type Authority, createResolver } from '../dns/resolver.ts';
import type { Zone } from '../dns/zone.ts';
import type { CpuMeter } from '../machines/cpu-meter.ts';
import { elbTtlSeconds, type LoadBalancers } from '../machines/load-balancers.ts';
import type { Machines } from '../machines/machines.ts';
import type { Cache } from '../objects/cache.ts';
import type { Clock } from '../outside/clock.ts';
import type { DnsAnswer, RecordType } from '../outside/dns.ts';
import type { RandomStreams } from '../outside/random.ts';
import type { Setup } from '../setup/setup.ts';
import { draw } from '../time/delays.ts';
import { createDataPlane, type DataPlane } from './data-plane.ts';
import { isHealthy, type Path } from './dial.ts';
import { createEndpointPropagation } from './endpoint-propagation.ts';
import type { FrontDoor } from './front-door.ts';

export interface RequestPathParts {
  readonly clock: Clock;
  readonly now: () => number;
  readonly random: RandomStreams;
  readonly setup: Setup;
  readonly region: string;
  readonly machines: Machines;
  readonly loadBalancers: LoadBalancers;
  readonly zone: Zone;
  readonly meter: CpuMeter;
  readonly door: FrontDoor;
  readonly after: (seconds: number, work: () => void) => void;
}

/** The VPC's resolver is at the network's base address plus two (Amazon VPC, DNS attributes). */
export const resolverAddress = '10.0.0.2';
/** One of the zone's authoritative servers. */
export const nameServer = { name: 'ns-266.awsdns-33.com', address: '205.251.193.10' } as const;

/** The data plane of a world, and the load balancers' health checks. */
export function createRequestPath(parts: RequestPathParts, cache: Cache): DataPlane {
  const { clock, setup, machines, loadBalancers, zone, now, region } = parts;
  const propagation = createEndpointPropagation(cache, now, setup.delays);
  const path: Path = { machines, propagation, loadBalancers, now, random: parts.random('network') };
  const names: Authority = {
    name: `elb.${region}.${setup.surroundings.loadBalancerDomain}`,
    negativeTtlSeconds: elbTtlSeconds,
    answer: loadBalancers.answer,
  };
  checkHealth(parts, { ...path, random: parts.random('health-checks') });
  return createDataPlane({
    ...path,
    clock,
    delays: setup.delays,
    behaviour: setup.application,
    inFlight: new Map(),
    door: parts.door,
    proxies: parts.door.open(),
    meter: parts.meter,
    zone,
    resolver: createResolver([zone, names, nameServers], now),
    resolverAddress,
    authority: nameServer.address,
  });
}

/** The zone of the authoritative server's own name. */
const nameServers: Authority = {
  name: 'awsdns-33.com',
  negativeTtlSeconds: 900,
  answer: (name: string, type: RecordType): DnsAnswer =>
    name === nameServer.name && type === 'A'
      ? { code: 'NOERROR', records: [{ type, value: nameServer.address, ttlSeconds: 172_800 }] }
      : { code: 'NXDOMAIN', records: [] },
};

/** The cloud's health checks: each load balancer connects to each of its targets, round after round. */
function checkHealth({ loadBalancers, setup, after }: RequestPathParts, path: Path): void {
  const round = () => {
    loadBalancers.check((targetId, port) => isHealthy(path, targetId, port));
    after(draw(setup.delays.loadBalancerHealthCheck, path.random), round);
  };
  round();
}
