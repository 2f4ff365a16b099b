import { connect as connectTcp, type OnReadOpts, type Socket } from 'node:net';
import { OperationError } from '../errors.ts';
import type { Phases, ProbeError } from '../host.ts';
import { codeOf, isOwnTrouble } from '../system-error.ts';
import { connectToAny } from './connect-any.ts';
import type { Deadline } from './deadline.ts';
import type { Destination, Peer, Verified } from './destination.ts';
import { dnsReason } from './dns-reason.ts';
import { lookUp } from './look-up.ts';
import { type CertificateEnd, certificateEnd, secure } from './secure.ts';
import { openSocks } from './socks.ts';
import { type TlsReason, tlsReasonOf } from './tls-reason.ts';
import { openTunnel } from './tunnel.ts';

export interface Connected {
  readonly socket?: Socket;
  readonly error?: ProbeError;
  /** Why a handshake failed. */
  readonly reason?: TlsReason;
  /** Finds out why a name has no address. */
  readonly unresolved?: (leftSeconds: number) => Promise<string | undefined>;
  /** The one of the server's chain that ends first. */
  readonly certificate?: CertificateEnd;
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
  const { peer, tunnel, socks, tls } = to;
  const begun = performance.now();
  const reading = (tls ?? tunnel ?? socks) === undefined ? onread : undefined;
  const reached = await (peer.any ? reachAny(peer, limit) : reachFirst(peer, limit, reading));
  const { socket, phases: before } = reached;
  if (socket === undefined) return reached;
  const beyond = await throughProxy(socket, to, limit);
  if (beyond !== undefined) return { ...beyond, phases: before };
  const phases = { ...before, connect: (performance.now() - begun) / 1000 - (before.dns ?? 0) };
  return tls === undefined ? { socket, phases } : shakeHands(socket, tls, phases, limit);
}

/** Asks the proxy, if there is one that is asked for a connection; why there is none through it. */
async function throughProxy(
  socket: Socket,
  { tunnel, socks }: Pick<Destination, 'tunnel' | 'socks'>,
  limit: Deadline,
): Promise<Omit<Connected, 'phases'> | undefined> {
  if (tunnel !== undefined) return failedAs(await openTunnel(socket, tunnel, limit));
  if (socks === undefined) return undefined;
  const { name, port, isLookedUpThere, address } = socks;
  const isKnown = isLookedUpThere || address !== undefined;
  const [found] = isKnown ? [address ?? name] : await addressesOf({ name, port }, limit);
  if (found !== undefined)
    return failedAs(
      await openSocks(socket, { ...socks, isLookedUpThere: isLookedUpThere && address === undefined }, found, limit),
    );
  socket.destroy();
  return noAddress({ name, port });
}

const failedAs = (error: ProbeError | undefined) => (error === undefined ? undefined : { error });

async function reachFirst(peer: Peer, limit: Deadline, onread: OnReadOpts | undefined): Promise<Connected> {
  const begun = performance.now();
  const addresses = peer.path === undefined ? (peer.addresses ?? (await addressesOf(peer, limit))) : [peer.path];
  if (addresses.length === 0) return noAddress(peer);
  const phases = (peer.addresses ?? peer.path) === undefined ? { dns: (performance.now() - begun) / 1000 } : {};
  const { socket, error } = await connectToOne(peer, addresses, limit, onread);
  return socket === undefined ? { error: kindOfConnect(error, peer), phases } : { socket, phases };
}

async function reachAny(peer: Peer, limit: Deadline): Promise<Connected> {
  if (peer.path !== undefined) return reachFirst(peer, limit, undefined);
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
  const certificate = certificateEnd(secured, tls.name);
  return { socket: secured, phases: took, ...(certificate === undefined ? {} : { certificate }) };
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
  { port, path }: Peer,
  addresses: readonly string[],
  limit: Deadline,
  onread: OnReadOpts | undefined,
): Promise<{ readonly socket?: Socket; readonly error?: unknown }> {
  let error: unknown;
  for (const [index, host] of addresses.entries()) {
    // Options of one shape: with two, V8 compiles the sockets of probes again when a load begins.
    const socket =
      path === undefined ? connectTcp({ host, port, autoSelectFamily: false, onread }) : connectTcp({ path, onread });
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
  const on = port === 0 ? name : `${name}:${port}`;
  const failure = { tried: 'Connecting to', on, reason: `this machine could not (${code})` };
  return new OperationError(failure, { cause });
}
