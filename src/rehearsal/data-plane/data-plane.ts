import type { Clock, DnsAnswer, DnsQuery, Phases, ProbeError } from '../../host/host.ts';
import type { Resolver } from '../dns/resolver.ts';
import type { Zone } from '../dns/zone.ts';
import { draw } from '../time/delays.ts';
import { dial, type Flow, stateOf } from './dial.ts';
import { type Trip, trip } from './request-deadline.ts';
import { type Response, type Serving, serve } from './serve.ts';
import { type Truth, truthAt } from './truth.ts';
import type { Request } from './upstream.ts';

/** The specification's request path, hop by hop: DNS record → load balancer → node → ingress controller → Service → pod. */
export interface DataPlane {
  /** One GET. With a connection that was kept, that one is used while it lives. */
  get(url: URL, options: { readonly timeoutSeconds: number; readonly kept?: Flow | undefined }): Promise<Passage>;
  resolve(query: DnsQuery): Promise<DnsAnswer>;
  /** What would become of new requests to that address made now. Only tests ask. */
  truth(address: string, request: Request): Truth;
}
export interface Passage {
  /** Absent when nothing came back; `error` then says why. */
  readonly response?: Response;
  readonly error?: ProbeError;
  readonly seconds: number;
  readonly phases: Phases;
  /** The connection, when it can be used again. */
  readonly flow?: Flow;
}

export interface DataPlaneOptions extends Serving {
  readonly clock: Pick<Clock, 'monotonicSeconds' | 'sleep'>;
  readonly resolver: Resolver;
  readonly zone: Zone;
  /** The address of the zone's authoritative server. */
  readonly authority: string;
  /** The address of the VPC's resolver, which is the system's. */
  readonly resolverAddress: string;
}

export function createDataPlane(options: DataPlaneOptions): DataPlane {
  return {
    get: (url, { timeoutSeconds, kept }) => {
      const way = trip(options.clock, timeoutSeconds);
      const state = kept === undefined ? 'closed' : stateOf(kept, options);
      if (kept !== undefined && state === 'open') return exchange(options, url, kept, {}, way);
      return state === 'silent' ? timedOut(way, {}) : getAnew(options, url, way);
    },
    resolve: (query) => resolve(options, query),
    truth: (address, request) => truthAt(options, address, request),
  };
}

async function getAnew(options: DataPlaneOptions, url: URL, way: Trip): Promise<Passage> {
  const { flow, error = 'connect', phases } = await open(options, url, way);
  return flow === undefined
    ? { error, seconds: way.secondsSoFar(), phases }
    : await exchange(options, url, flow, phases, way);
}

interface Opened {
  readonly flow?: Flow;
  readonly error?: ProbeError;
  readonly phases: Phases;
}

async function open(options: DataPlaneOptions, url: URL, way: Trip): Promise<Opened> {
  const answer = await resolve(options, { name: url.hostname, type: 'A' });
  const dns = way.secondsSoFar();
  const address = answer.records.find(({ type }) => type === 'A')?.value;
  if (address === undefined) return { error: 'dns', phases: {} };
  const dialled = dial(options, address, Number(url.port) || (url.protocol === 'https:' ? 443 : 80));
  if (dialled.answer === 'silence') {
    await way.giveUp();
    return { error: 'timeout', phases: { dns } };
  }
  if (!(await way.spend(2 * roundTrip(options)))) return { error: 'timeout', phases: { dns } };
  if (dialled.answer === 'refuses') return { error: 'refused', phases: { dns } };
  return { flow: dialled.flow, phases: { dns, connect: way.secondsSoFar() - dns } };
}

/** A process that ends while the answer is on its way resets the connection; a machine that ends says nothing. */
async function exchange(options: DataPlaneOptions, url: URL, flow: Flow, phases: Phases, way: Trip): Promise<Passage> {
  const began = way.secondsSoFar();
  const response = await serve(options, flow.container, { host: url.hostname, path: url.pathname }, way);
  const isThere = stateOf(flow, options);
  if (response === undefined || isThere === 'silent') return timedOut(way, phases);
  const seconds = way.secondsSoFar();
  const all = { ...phases, firstByte: seconds - began };
  if (hasEnded(flow, options)) return { error: 'reset', seconds, phases };
  return { response, seconds, phases: all, ...(isThere === 'open' ? { flow } : {}) };
}

async function timedOut(way: Trip, phases: Phases): Promise<Passage> {
  await way.giveUp();
  return { error: 'timeout', seconds: way.secondsSoFar(), phases };
}

/** One that only closed its listener finishes what it has begun. */
function hasEnded({ container }: Flow, { machines, now }: DataPlaneOptions): boolean {
  const current = machines.container(container.id);
  return current === undefined || now() >= (current.exitsAt ?? Number.POSITIVE_INFINITY);
}

const roundTrip = ({ delays, random }: DataPlaneOptions): number => draw(delays.networkRoundTrip, random);

/** resolv.conf(5): two attempts of 5 s at a server that does not answer. */
const silentServerSeconds = 10;

async function resolve(options: DataPlaneOptions, { name, type, server }: DnsQuery): Promise<DnsAnswer> {
  const { clock, delays, random, resolver, zone } = options;
  const [address = options.resolverAddress] = server?.split(':') ?? [];
  if (address === options.authority) {
    await clock.sleep(draw(delays.resolverAsked, random));
    return zone.answer(name, type);
  }
  if (address !== options.resolverAddress) {
    await clock.sleep(silentServerSeconds);
    return { code: 'TIMEOUT', records: [] };
  }
  const { answer, cached } = resolver.resolve(name, type);
  await clock.sleep(draw(cached ? delays.resolverCached : delays.resolverAsked, random));
  return answer;
}
