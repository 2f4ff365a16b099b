import type { Resolver } from '../dns/resolver.ts';
import type { Zone } from '../dns/zone.ts';
import { programOf } from '../machines/images.ts';
import { openTargets } from '../machines/load-balancers.ts';
import type { DnsAnswer, DnsQuery } from '../outside/dns.ts';
import { draw } from '../time/delays.ts';
import { answer, failure, type Response } from './application.ts';
import { type Connection, type DialResult, dial, dialFlow, stateOf } from './dial.ts';
import type { FrontDoor, Passing, Proxies, Truth } from './front-door.ts';
import { type RequestDeadline, requestDeadline } from './request-deadline.ts';
import type { Request } from './routes.ts';
import { truthAt } from './truth.ts';

/** The way of a request, hop by hop: DNS record → load balancer → node → ingress controller → Service → pod. */
export interface DataPlane {
  /** One GET, over the `kept` connection if it is still open, else over a new one. */
  get(
    url: URL,
    options: { readonly timeoutSeconds: number; readonly kept?: Connection | undefined },
  ): Promise<Exchange>;
  resolve(query: DnsQuery): Promise<DnsAnswer>;
  /** What would happen to new requests to that address now. For tests only. */
  truth(address: string, request: Request): Truth;
}

/** Why a request has no response. */
export type RequestError = 'dns' | 'connect' | 'connect-timeout' | 'refused' | 'reset' | 'timeout';
/** Where the time went, in seconds; a phase that was not reached is absent. */
export interface Phases {
  readonly dns?: number;
  readonly connect?: number;
  readonly firstByte?: number;
}

/** One request and its response. */
export interface Exchange {
  /** Absent when there was no response; `error` then says why. */
  readonly response?: Response;
  readonly error?: RequestError;
  readonly seconds: number;
  readonly phases: Phases;
  /** The connection, if it can be used again. */
  readonly connection?: Connection;
}

export interface DataPlaneOptions extends Passing {
  readonly door: Pick<FrontDoor, 'program'>;
  readonly proxies: Proxies;
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
      const deadline = requestDeadline(options.clock, timeoutSeconds);
      const state = kept === undefined ? 'closed' : stateOf(kept, options);
      if (kept !== undefined && state === 'open') return exchange(options, url, kept, {}, deadline);
      return state === 'half-open' ? timedOut(deadline, {}) : getOverNewConnection(options, url, deadline);
    },
    resolve: (query) => resolve(options, query),
    truth: (address, request) => truthAt(options, address, request),
  };
}

async function getOverNewConnection(options: DataPlaneOptions, url: URL, deadline: RequestDeadline): Promise<Exchange> {
  const { connection, response, error = 'connect', phases } = await open(options, url, deadline);
  if (response !== undefined) return { response, seconds: deadline.elapsedSeconds(), phases };
  return connection === undefined
    ? { error, seconds: deadline.elapsedSeconds(), phases }
    : await exchange(options, url, connection, phases, deadline);
}

interface Opened {
  readonly connection?: Connection;
  /** Of the load balancer itself. */
  readonly response?: Response;
  readonly error?: RequestError;
  readonly phases: Phases;
}

async function open(options: DataPlaneOptions, url: URL, deadline: RequestDeadline): Promise<Opened> {
  const answer = await resolve(options, { name: url.hostname, type: 'A' });
  const dns = deadline.elapsedSeconds();
  const address = answer.records.find(({ type }) => type === 'A')?.value;
  if (address === undefined) return { error: 'dns', phases: {} };
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const first = dial(options, address, port);
  const instead = await answeredInstead(options, address, first, deadline);
  if (instead !== undefined) return { ...instead, phases: { dns } };
  const dialed = await dialUntilAnswered(options, first, deadline);
  if (dialed.outcome === 'dropped') return { error: 'connect-timeout', phases: { dns } };
  if (!(await deadline.sleep(2 * roundTrip(options)))) return { error: 'connect-timeout', phases: { dns } };
  if (dialed.outcome === 'refused') return { error: 'refused', phases: { dns } };
  return { connection: dialed.connection, phases: { dns, connect: deadline.elapsedSeconds() - dns } };
}

/** What an Application Load Balancer answers where its target does not; undefined where it does, or there is none. */
async function answeredInstead(
  { loadBalancers, now }: DataPlaneOptions,
  address: string,
  { outcome }: DialResult,
  deadline: RequestDeadline,
): Promise<Pick<Opened, 'response' | 'error'> | undefined> {
  const balancer = loadBalancers.byAddress(address);
  if (balancer?.isApplication !== true || now() < balancer.activeAt || outcome === 'accepted') return undefined;
  if (openTargets(balancer, now()).length === 0) return { response: failure(503) };
  if (outcome === 'refused') return { response: failure(502) };
  return (await deadline.sleep(albConnectSeconds)) ? { response: failure(504) } : { error: 'timeout' };
}

/** An Application Load Balancer connects to a target for 10 s (its troubleshooting guide, "HTTP 504"). */
const albConnectSeconds = 10;

/**
 * A SYN without an answer is sent again after a second, then after twice as long as the last time (RFC 6298, sections 2
 * and 5).
 */
async function dialUntilAnswered(
  options: DataPlaneOptions,
  first: DialResult,
  deadline: RequestDeadline,
): Promise<DialResult> {
  let dialed = first;
  for (let waitSeconds = 1; dialed.outcome === 'dropped'; waitSeconds *= 2) {
    if (dialed.flow === undefined) await deadline.sleepUntilDeadline();
    if (dialed.flow === undefined || !(await deadline.sleep(waitSeconds))) return dialed;
    dialed = dialFlow(options, dialed.flow);
  }
  return dialed;
}

/** A process that exits before it has answered resets the connection; a machine that is powered off sends nothing. */
async function exchange(
  options: DataPlaneOptions,
  url: URL,
  connection: Connection,
  phases: Phases,
  deadline: RequestDeadline,
): Promise<Exchange> {
  const sentAt = deadline.elapsedSeconds();
  const response = await serve(options, connection, { host: url.hostname, path: url.pathname }, deadline);
  const state = stateOf(connection, options);
  if (response === undefined || state === 'half-open') return timedOut(deadline, phases);
  const seconds = deadline.elapsedSeconds();
  const all = { ...phases, firstByte: seconds - sentAt };
  if (hasExited(connection, options)) return { error: 'reset', seconds, phases };
  return { response, seconds, phases: all, ...(state === 'open' ? { connection } : {}) };
}

async function timedOut(deadline: RequestDeadline, phases: Phases): Promise<Exchange> {
  await deadline.sleepUntilDeadline();
  return { error: 'timeout', seconds: deadline.elapsedSeconds(), phases };
}

/** A process that has only closed its listener still finishes the requests in flight. */
function hasExited({ container }: Connection, { machines, now }: DataPlaneOptions): boolean {
  const current = machines.container(container.id);
  return current === undefined || now() >= (current.exitsAt ?? Number.POSITIVE_INFINITY);
}

const roundTrip = ({ delays, random }: DataPlaneOptions): number => draw(delays.networkRoundTrip, random);

/** resolv.conf(5): two attempts of 5 s, as `host.resolve` of the real host makes them. */
const resolverTimeoutSeconds = 10;

async function resolve(options: DataPlaneOptions, { name, type, server }: DnsQuery): Promise<DnsAnswer> {
  const { clock, delays, random, resolver, zone } = options;
  const [address = options.resolverAddress] = server?.split(':') ?? [];
  if (address === options.authority) {
    await clock.sleep(draw(delays.resolverAsked, random));
    return zone.answer(name, type);
  }
  if (address !== options.resolverAddress) {
    await clock.sleep(resolverTimeoutSeconds);
    return { code: 'TIMEOUT', records: [] };
  }
  const { answer, cached } = resolver.resolve(name, type);
  await clock.sleep(draw(cached ? delays.resolverCached : delays.resolverAsked, random));
  return answer;
}

/** The response of the process that accepted the connection; undefined when the deadline came first. */
function serve(
  options: DataPlaneOptions,
  connection: Connection,
  request: Request,
  deadline: RequestDeadline,
): Promise<Response | undefined> {
  const { container } = connection;
  return programOf(container.image).name === options.door.program
    ? options.proxies.answer(options, connection, request, deadline)
    : answer(options, container, request, deadline);
}
