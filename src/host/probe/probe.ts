import type { Socket } from 'node:net';
import type { ConnectionUse, Phases, Probe, ProbeError, Sample, Target } from '../host.ts';
import { bodyHolds } from './body-holds.ts';
import { type Connected, connect } from './connect.ts';
import { type Deadline, deadline } from './deadline.ts';
import { type Destination, destination, httpAddress } from './destination.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type Hop, redirected } from './redirect.ts';
import { prepareTls } from './secure.ts';
import { visibleText } from './visible-text.ts';

/**
 * An HTTP/1.1 client for one request whose body is read to its end, with those that redirects lead to. `new` looks up
 * the name and connects for each; `reused` keeps one connection a target and origin and opens another when it is
 * closed. No request is retried. A probe that this machine could not make (no file descriptor, port or memory left)
 * rejects, because it says nothing about the target.
 */
export function prober(): Probe {
  const ways = new Map<string, Way>();
  return async (target, connection, timeoutSeconds) => {
    const key = JSON.stringify(target);
    const way = ways.get(key) ?? wayTo(target);
    ways.set(key, way);
    if (way.to.tls !== undefined || target.redirects !== undefined) await prepareTls(target.ca);
    const at = Date.now();
    const begun = performance.now();
    const limit = deadline(timeoutSeconds);
    try {
      const { phases, ...outcome } = await follow(target, way, connection, limit);
      const seconds = (performance.now() - begun) / 1000;
      const reason = outcome.unresolved === undefined ? outcome.reason : await outcome.unresolved(limit.leftSeconds());
      const told = reason === undefined ? {} : { reason };
      return { at, seconds, connection, phases, ...verdict(target, outcome), ...told };
    } finally {
      limit.clear();
    }
  };
}

/** What is the same for every probe of a target. */
interface Way {
  readonly first: Hop;
  readonly to: Destination;
  /** By the origin that they lead to. */
  readonly kept: KeptConnections;
}

function wayTo(target: Target): Way {
  const first = { url: httpAddress(target.url), headers: target.headers ?? [] };
  return { first, to: destination(first, target), kept: keptConnections() };
}

interface Outcome {
  readonly phases: Phases;
  /** The error instead of a connection. */
  readonly error?: ProbeError;
  readonly reason?: string;
  /** Asks why there was no address, after the sample's time was taken. */
  readonly unresolved?: (leftSeconds: number) => Promise<string | undefined>;
  readonly certificateEndsAt?: number;
  readonly answer?: Exchange;
}

/** The last answer, with the time of all. */
async function follow(target: Target, way: Way, connection: ConnectionUse, limit: Deadline): Promise<Outcome> {
  let [hop, to] = [way.first, way.to];
  let phases: Phases = {};
  for (let left = target.redirects ?? 0; ; left--) {
    const outcome = await request(target, to, hop.url.origin, connection, { kept: way.kept, limit });
    phases = sum(phases, outcome.phases);
    const { answer } = outcome;
    const next =
      left === 0 || answer === undefined || answer.error !== undefined
        ? undefined
        : redirected(way.first, hop.url, answer.status, answer.location);
    if (next === undefined) return { ...outcome, phases };
    hop = next;
    to = destination(hop, target);
  }
}

function sum(one: Phases, other: Phases): Phases {
  const names = ['dns', 'connect', 'tls', 'firstByte'] as const;
  const both = names.flatMap((name) => {
    const [a, b] = [one[name], other[name]];
    return a === undefined && b === undefined ? [] : [[name, (a ?? 0) + (b ?? 0)]];
  });
  return Object.fromEntries(both);
}

async function request(
  target: Target,
  to: Destination,
  origin: string,
  connection: ConnectionUse,
  { kept, limit }: { readonly kept: KeptConnections; readonly limit: Deadline },
): Promise<Outcome> {
  const idle = connection === 'reused' ? kept.take(origin) : undefined;
  const { socket, ...failed }: Connected = idle === undefined ? await connect(to, limit) : { socket: idle, phases: {} };
  const { phases, certificateEndsAt } = failed;
  if (socket === undefined) return failed;
  const sent = { method: to.method, text: to.request[connection], bodyBytes: bytesLookedAt(target) };
  const answer = await exchange(socket, sent, limit);
  if (connection === 'reused' && answer.keepsAlive) kept.keep(origin, socket);
  else socket.destroy();
  return {
    answer,
    ...(answer.error === 'tls' ? { reason: 'handshake' } : {}),
    phases: answer.firstByte === undefined ? phases : { ...phases, firstByte: answer.firstByte },
    ...(certificateEndsAt === undefined ? {} : { certificateEndsAt }),
  };
}

/** The first visible line is in the first 64 KiB; text to look for may stand further down. */
const bytesLookedAt = ({ bodyContains }: Target): number => (bodyContains === undefined ? 64 : 1024) * 1024;

function verdict(
  target: Target,
  { error, certificateEndsAt, answer }: Omit<Outcome, 'phases'>,
): Pick<Sample, 'status' | 'error' | 'certificateEndsAt' | 'bodyMatched' | 'unread'> {
  if (answer === undefined) return { status: 0, error: error ?? 'connect' };
  const certificate = certificateEndsAt === undefined ? {} : { certificateEndsAt };
  if (answer.error !== undefined) return { status: answer.status, error: answer.error, ...certificate };
  const read = { status: answer.status, ...(answer.unread ? { unread: true as const } : {}), ...certificate };
  if (target.body === undefined && target.bodyContains === undefined) return read;
  return { ...read, bodyMatched: isRightBody(target, answer.body()) };
}

function isRightBody({ body = '', bodyContains }: Target, text: string): boolean {
  const begins = visibleText(text).startsWith(visibleText(body));
  return begins && (bodyContains === undefined || bodyHolds(bodyContains, text));
}

/** The idle connections of the `reused` probes, one a target. They do not keep the process alive. */
interface KeptConnections {
  /** Takes the target's connection out; undefined if there is none or the peer has closed it. */
  readonly take: (target: string) => Socket | undefined;
  readonly keep: (target: string, socket: Socket) => void;
}

function keptConnections(): KeptConnections {
  const idle = new Map<string, { readonly socket: Socket; readonly drop: () => void }>();
  const release = (target: string): Socket | undefined => {
    const kept = idle.get(target);
    idle.delete(target);
    if (kept !== undefined) for (const event of endings) kept.socket.off(event, kept.drop);
    return kept?.socket;
  };
  return {
    take: (target) => release(target)?.ref(),
    keep: (target, socket) => {
      release(target)?.destroy();
      const drop = () => release(target)?.destroy();
      idle.set(target, { socket, drop });
      for (const event of endings) socket.on(event, drop);
      socket.unref();
    },
  };
}

/** Any event on an idle connection ends it, because no request is under way. */
const endings = ['data', 'end', 'error', 'close'] as const;
