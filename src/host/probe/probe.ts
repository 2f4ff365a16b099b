import type { ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { ConnectionUse, Phases, Probe, ProbeError, Sample, Target } from '../host.ts';
import { bodyHolds } from './body-holds.ts';
import { type Connected, connect } from './connect.ts';
import { type Deadline, deadline } from './deadline.ts';
import { decodedBody } from './decoded-body.ts';
import { type Destination, destination, httpAddress } from './destination.ts';
import { type Exchange, exchange } from './exchange.ts';
import { http2Session, type KeptSessions, keptSessions, overHttp2, prepareHttp2, speaksHttp2 } from './http2.ts';
import type { Http2Request } from './http2-request.ts';
import { type Hop, redirected } from './redirect.ts';
import { type CertificateEnd, prepareTls } from './secure.ts';
import { visibleText } from './visible-text.ts';

/**
 * An HTTP client for one request whose body is read to its end, with those that redirects lead to. `new` looks up the
 * name and connects for each; `reused` keeps one connection a target and origin and opens another when it is closed. No
 * request is retried. A probe that this machine could not make (no file descriptor, port or memory left) rejects,
 * because it says nothing about the target.
 */
export function prober(): Probe {
  const ways = new Map<string, Way>();
  return async (target, connection, timeoutSeconds) => {
    const key = JSON.stringify(target);
    const way = ways.get(key) ?? wayTo(target);
    ways.set(key, way);
    await prepare(target, way);
    const at = Date.now();
    const begun = performance.now();
    const limit = deadline(timeoutSeconds);
    try {
      const { phases, ...outcome } = await follow(target, way, connection, limit);
      const seconds = (performance.now() - begun) / 1000;
      const reason = outcome.unresolved === undefined ? outcome.reason : await outcome.unresolved(limit.leftSeconds());
      const told = reason === undefined ? {} : { reason };
      return { at, seconds, connection, phases, ...(await verdict(target, outcome)), ...told };
    } finally {
      limit.clear();
    }
  };
}

/** Loads what takes longer than a probe before it is timed. */
async function prepare(target: Target, { to }: Way): Promise<void> {
  if (to.tls !== undefined || target.redirects !== undefined) await prepareTls(target);
  if (target.http2 === true) await prepareHttp2();
}

/** What is the same for every probe of a target. */
interface Way {
  readonly first: Hop;
  readonly to: Destination;
  /** By the origin that they lead to. */
  readonly kept: KeptConnections;
  /** Those in HTTP/2. */
  readonly sessions: KeptSessions;
  /** Origins that refused everything but HTTP/2. */
  readonly onlyHttp2: Set<string>;
}

function wayTo(target: Target): Way {
  const first = { url: httpAddress(target.url), headers: target.headers ?? [] };
  const to = destination(first, target);
  return { first, to, kept: keptConnections(), sessions: keptSessions(), onlyHttp2: new Set() };
}

interface Outcome {
  readonly phases: Phases;
  /** The error instead of a connection. */
  readonly error?: ProbeError;
  readonly reason?: string;
  /** Asks why there was no address, after the sample's time was taken. */
  readonly unresolved?: (leftSeconds: number) => Promise<string | undefined>;
  readonly certificate?: CertificateEnd;
  readonly answer?: Exchange;
}

/**
 * Of the certificates of two requests the one that ends first; that of a host behind a redirect is called by the host's
 * name.
 */
function firstEnd(before: CertificateEnd | undefined, next: CertificateEnd | undefined, host: string) {
  if (before === undefined || next === undefined) return before ?? next;
  return next.endsAt < before.endsAt ? { of: host, ...next } : before;
}

/** The last answer, with the time of all. */
async function follow(target: Target, way: Way, connection: ConnectionUse, limit: Deadline): Promise<Outcome> {
  let hop = way.first;
  let phases: Phases = {};
  let certificate: CertificateEnd | undefined;
  for (let left = target.redirects ?? 0; ; left--) {
    const outcome = await inItsVersion(target, way, hop, connection, limit);
    phases = sum(phases, outcome.phases);
    certificate = firstEnd(certificate, outcome.certificate, hop.url.host);
    const { answer } = outcome;
    const next =
      left === 0 || answer === undefined || answer.error !== undefined
        ? undefined
        : redirected(way.first, hop, answer.status, answer.location);
    if (next === undefined) return { ...outcome, phases, ...(certificate === undefined ? {} : { certificate }) };
    hop = next;
  }
}

/**
 * A server that speaks nothing but HTTP/2 refuses the handshake (RFC 7301, section 3.2), before any request. It is
 * asked in HTTP/2 then, within the same time, and from then on at once.
 */
async function inItsVersion(
  target: Target,
  way: Way,
  hop: Hop,
  connection: ConnectionUse,
  limit: Deadline,
): Promise<Outcome> {
  const { origin } = hop.url;
  const ask = (to: Destination) => request(target, to, origin, connection, { ...way, limit });
  const inHttp2 = () => ask(destination(hop, { ...target, http2: true }));
  if (way.onlyHttp2.has(origin)) return inHttp2();
  const outcome = await ask(hop === way.first ? way.to : destination(hop, target));
  if (outcome.reason !== 'alpn' || target.http2 !== undefined) return outcome;
  await prepareHttp2();
  way.onlyHttp2.add(origin);
  const again = await inHttp2();
  return { ...again, phases: sum(outcome.phases, again.phases) };
}

function sum(one: Phases, other: Phases): Phases {
  const names = ['dns', 'connect', 'tls', 'firstByte'] as const;
  const both = names.flatMap((name) => {
    const [a, b] = [one[name], other[name]];
    return a === undefined && b === undefined ? [] : [[name, (a ?? 0) + (b ?? 0)]];
  });
  return Object.fromEntries(both);
}

interface Kept {
  readonly kept: KeptConnections;
  readonly sessions: KeptSessions;
  readonly limit: Deadline;
}

async function request(
  target: Target,
  to: Destination,
  origin: string,
  connection: ConnectionUse,
  { kept, sessions, limit }: Kept,
): Promise<Outcome> {
  const asked = { to, connection, bodyBytes: bytesLookedAt(target), limit };
  const isKept = connection === 'reused';
  const session = isKept ? sessions.take(origin) : undefined;
  if (session !== undefined) return outcomeOf({ phases: {} }, await inSession(session, sessions, asked));
  const idle = isKept ? kept.take(origin) : undefined;
  const { socket, ...connected }: Connected =
    idle === undefined ? await connect(to, limit) : { socket: idle, phases: {} };
  if (socket === undefined) return connected;
  if (to.http2 !== undefined && speaksHttp2(socket))
    return outcomeOf(connected, await inSession(http2Session(socket, origin), sessions, asked));
  return outcomeOf(connected, await onSocket(socket, kept, origin, asked));
}

interface Asked {
  readonly to: Destination;
  readonly connection: ConnectionUse;
  readonly bodyBytes: number;
  readonly limit: Deadline;
}

async function onSocket(socket: Socket, kept: KeptConnections, origin: string, asked: Asked): Promise<Exchange> {
  const { to, connection, bodyBytes, limit } = asked;
  const answer = await exchange(socket, { method: to.method, text: to.request[connection], bodyBytes }, limit);
  if (connection === 'reused' && answer.keepsAlive) kept.keep(origin, socket);
  else socket.destroy();
  return answer;
}

async function inSession(session: ClientHttp2Session, sessions: KeptSessions, asked: Asked): Promise<Exchange> {
  const request = asked.to.http2 as Http2Request;
  const answer = await overHttp2(session, request, asked.bodyBytes, asked.limit);
  if (asked.connection === 'reused' && answer.keepsAlive && !answer.unread) sessions.keep(request.origin, session);
  else session.destroy();
  return answer;
}

function outcomeOf({ phases, certificate }: Pick<Connected, 'phases' | 'certificate'>, answer: Exchange): Outcome {
  return {
    answer,
    ...(answer.error === 'tls' ? { reason: 'handshake' } : {}),
    phases: answer.firstByte === undefined ? phases : { ...phases, firstByte: answer.firstByte },
    ...(certificate === undefined ? {} : { certificate }),
  };
}

/** The first visible line is in the first 64 KiB; text to look for may stand further down. */
const bytesLookedAt = ({ bodyContains }: Target): number => (bodyContains === undefined ? 64 : 1024) * 1024;

type Verdict = Pick<Sample, 'status' | 'error' | 'certificateEndsAt' | 'certificateOf' | 'bodyMatched' | 'unread'>;

async function verdict(target: Target, { error, certificate, answer }: Omit<Outcome, 'phases'>): Promise<Verdict> {
  if (answer === undefined) return { status: 0, error: error ?? 'connect' };
  const of = certificate?.of === undefined ? {} : { certificateOf: certificate.of };
  const ends = certificate === undefined ? {} : { certificateEndsAt: certificate.endsAt, ...of };
  if (answer.error !== undefined) return { status: answer.status, error: answer.error, ...ends };
  const read = { status: answer.status, ...(answer.unread ? { unread: true as const } : {}), ...ends };
  if (target.body === undefined && target.bodyContains === undefined) return read;
  const body = await decodedBody(answer.body(), answer.codings, bytesLookedAt(target));
  return { ...read, bodyMatched: body !== undefined && isRightBody(target, body.toString('utf8')) };
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
