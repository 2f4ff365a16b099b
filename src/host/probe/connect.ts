import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from 'node:net';
import { askServer } from '../dns.ts';
import { OperationError } from '../errors.ts';
import type { Phases, ProbeError } from '../host.ts';
import { codeOf, isOwnTrouble } from '../system-error.ts';
import { connectToAny } from './connect-any.ts';
import type { Deadline } from './deadline.ts';
import type { Destination, Peer, Verified } from './destination.ts';
import { lookUp } from './look-up.ts';
import { certificateEnd, secure } from './secure.ts';
import { type TlsReason, tlsReasonOf } from './tls-reason.ts';

export interface Connected {
  readonly socket?: Socket;
  readonly error?: ProbeError;
  /** Why a handshake failed. */
  readonly reason?: TlsReason;
  /** Finds out why a name has no address. */
  readonly unresolved?: (leftSeconds: number) => Promise<string | undefined>;
  /** Of the server's certificate, epoch milliseconds. */
  readonly certificateEndsAt?: number;
  /** The phases that were completed. */
  readonly phases: Phases;
}

/**
 * A new name look-up and a new connection to its first address, or to the first of several given ones that takes it. A
 * look-up that takes too long is `dns`, a connection that does `connect-timeout`, a handshake `timeout`, so that the
 * log names the hop that did not answer. With `onread`, a connection without TLS reads into its buffer and has no
 * `data` events.
 */
export async function connect(to: Destination, limit: Deadline, onread?: OnReadOpts): Promise<Connected> {
  const { peer, tunnel, tls } = to;
  const begun = performance.now();
  const reading = tls === undefined && tunnel === undefined ? onread : undefined;
  const reached = await (peer.any ? reachAny(peer, limit) : reachFirst(peer, limit, reading));
  const { socket, phases: before } = reached;
  if (socket === undefined) return reached;
  const broken = tunnel === undefined ? undefined : await openTunnel(socket, tunnel, limit);
  if (broken !== undefined) return { error: broken, phases: before };
  const phases = { ...before, connect: (performance.now() - begun) / 1000 - (before.dns ?? 0) };
  return tls === undefined ? { socket, phases } : shakeHands(socket, tls, phases, limit);
}

async function reachFirst(peer: Peer, limit: Deadline, onread: OnReadOpts | undefined): Promise<Connected> {
  const begun = performance.now();
  const addresses = peer.addresses ?? (await addressesOf(peer, limit));
  if (addresses.length === 0) return noAddress(peer);
  const phases = peer.addresses === undefined ? { dns: (performance.now() - begun) / 1000 } : {};
  const { socket, error } = await connectToOne(peer, addresses, limit, onread);
  return socket === undefined ? { error: kindOfConnect(error, peer), phases } : { socket, phases };
}

async function reachAny(peer: Peer, limit: Deadline): Promise<Connected> {
  if (peer.addresses?.length === 0) return noAddress(peer);
  const socket = connectToAny(peer);
  const error = await ready(socket, 'connect', limit);
  if (unresolved.has(codeOf(error) ?? '')) return noAddress(peer);
  return error === undefined ? { socket, phases: {} } : { error: kindOfConnect(error, peer), phases: {} };
}

/** getaddrinfo(3) */
const unresolved: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN']);

const noAddress = ({ name, family }: Peer): Connected => ({
  error: 'dns',
  phases: {},
  unresolved: (left) => dnsReason(name, family, left),
});

async function shakeHands(socket: Socket, tls: Verified, phases: Phases, limit: Deadline): Promise<Connected> {
  const begun = performance.now();
  const secured = secure(socket, tls);
  const failed = await ready(secured, 'secureConnect', limit);
  if (failed !== undefined)
    return limit.expired() ? { error: 'timeout', phases } : { error: 'tls', reason: tlsReasonOf(failed), phases };
  const took = { ...phases, tls: (performance.now() - begun) / 1000 };
  const endsAt = certificateEnd(secured);
  return { socket: secured, phases: took, ...(endsAt === undefined ? {} : { certificateEndsAt: endsAt }) };
}

async function addressesOf({ name, port, family }: Peer, limit: Deadline): Promise<readonly string[]> {
  const late = new Promise<undefined>((resolve) => limit.during(() => resolve(undefined)));
  const answer = await Promise.race([lookUp(name, family), late]);
  if (answer === undefined || 'failed' in answer) return [];
  if ('short' in answer) throw ownTrouble({ name, port }, answer.short);
  return [answer.address];
}

/** Each address but the last has half of the time that is left, as with curl. */
async function connectToOne(
  { port }: Peer,
  addresses: readonly string[],
  limit: Deadline,
  onread: OnReadOpts | undefined,
): Promise<{ readonly socket?: Socket; readonly error?: unknown }> {
  let error: unknown;
  for (const [index, host] of addresses.entries()) {
    // Options of one shape: with two, V8 compiles the sockets of probes again when a load begins.
    const socket = connectTcp({ host, port, autoSelectFamily: false, onread });
    const isLast = index === addresses.length - 1;
    const next = isLast ? undefined : setTimeout(() => socket.destroy(), limit.leftSeconds() * 500);
    error = await ready(socket, 'connect', limit);
    clearTimeout(next);
    if (error === undefined) return { socket };
    if (limit.expired()) break;
  }
  return { error };
}

/** Undefined if the socket is ready, else the error; the socket is then destroyed. */
function ready(socket: Socket, event: 'connect' | 'secureConnect', limit: Deadline): Promise<unknown> {
  return new Promise((resolve) => {
    const fail = (error: unknown) => {
      socket.destroy();
      resolve(error);
    };
    const done = () => {
      socket.off('close', fail);
      resolve(undefined);
    };
    socket.once(event, done);
    socket.on('error', fail);
    socket.once('close', fail);
    limit.during(() => fail('late'));
  });
}

const connectErrors: Readonly<Record<string, ProbeError>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ETIMEDOUT: 'connect-timeout',
};

function kindOfConnect(error: unknown, to: Peer): ProbeError {
  if (error === 'late') return 'connect-timeout';
  const code = codeOf(error) ?? '';
  if (isOwnTrouble(error)) throw ownTrouble(to, code, error);
  return connectErrors[code] ?? 'connect';
}

function ownTrouble({ name, port }: Peer, code: string, cause?: unknown): OperationError {
  const failure = { tried: 'Connecting to', on: `${name}:${port}`, reason: `this machine could not (${code})` };
  return new OperationError(failure, { cause });
}

/** The names of RCODEs (IANA, Domain Name System Parameters; RFC 1035, section 4.1.1). */
const rcodes: Readonly<Record<number, string>> = {
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
};

/** A name server that has no answer after so long is taken for silent: the system's own look-up has failed already. */
const longestSeconds = 1;

/**
 * Why a look-up found no address: the RCODE of the system's first name server, `NODATA` where the name has no such
 * record, or `timeout`. The system's resolver does not tell. Undefined where the name server has an address now, as for
 * a name that is not looked up there.
 */
export async function dnsReason(
  name: string,
  family: 4 | 6 | undefined,
  leftSeconds: number,
): Promise<string | undefined> {
  // An address is not looked up there; it is of the other family.
  if (isIP(name) !== 0) return 'NODATA';
  if (leftSeconds <= 0) return 'timeout';
  const type = family === 6 ? 'AAAA' : 'A';
  const answer = await askServer({ name, type }, Math.min(leftSeconds, longestSeconds)).catch(() => undefined);
  if (answer === undefined) return 'timeout';
  if (answer.rcode !== 0) return rcodes[answer.rcode] ?? `RCODE${answer.rcode}`;
  return answer.records.some((record) => record.type === type) ? undefined : 'NODATA';
}

/** More than any proxy answers to CONNECT. */
const mostBytes = 16 * 1024;

/**
 * Asks a proxy for a connection through it. A proxy that gives none within the time is `connect-timeout`, one that
 * gives none at all `connect`.
 */
function openTunnel(socket: Socket, request: string, limit: Deadline): Promise<ProbeError | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const end = (error?: ProbeError) => {
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
      if (error !== undefined) socket.on('error', () => {}).destroy();
      resolve(error);
    };
    const refused = () => end('connect');
    const listeners = {
      data: (bytes: Buffer) => {
        answer += bytes.toString('latin1');
        if (answer.length > mostBytes) refused();
        else if (answer.includes('\r\n\r\n')) end(/^HTTP\/1\.[01] 2\d\d/.test(answer) ? undefined : 'connect');
      },
      end: refused,
      error: refused,
      close: refused,
    };
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
    limit.during(() => end('connect-timeout'));
    socket.write(request);
  });
}
