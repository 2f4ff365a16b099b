import { isIPv4, isIPv6, type Socket } from 'node:net';
import type { ProbeError } from '../host.ts';
import type { Deadline } from './deadline.ts';

/** What a SOCKS proxy is asked for (RFC 1928). */
export interface SocksRequest {
  readonly name: string;
  readonly port: number;
  /** Of the name, where it is known without a look-up. */
  readonly address?: string;
  /** Whether the proxy looks the name up, and not this machine. */
  readonly isLookedUpThere: boolean;
  readonly user?: string;
  readonly password?: string;
}

export function socksRequest(proxy: URL, to: Pick<SocksRequest, 'name' | 'port' | 'address'>): SocksRequest {
  const [user, password] = [decodeURIComponent(proxy.username), decodeURIComponent(proxy.password)];
  return { ...to, isLookedUpThere: proxy.protocol === 'socks5h:', ...(user === '' ? {} : { user, password }) };
}

const version = 5;
const [noAuthentication, byPassword] = [0, 2];
/** RFC 1929. */
const passwordVersion = 1;
const connectCommand = 1;
const [ofIPv4, ofName, ofIPv6] = [1, 3, 4];
/** RFC 1928, section 6. The other replies are `connect`. */
const refusedReply = 5;

/**
 * Asks the proxy for a connection to that address, or to the name where it is to look it up. Without one within the
 * time it is `connect-timeout`.
 */
export function openSocks(
  socket: Socket,
  request: SocksRequest,
  address: string,
  limit: Deadline,
): Promise<ProbeError | undefined> {
  return new Promise((resolve) => {
    const talk = conversation(request, address);
    let received = Buffer.alloc(0);
    const end = (error?: ProbeError) => {
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
      if (error !== undefined) socket.on('error', () => {}).destroy();
      resolve(error);
    };
    const broken = () => end('connect');
    const take = (step: Step) => {
      received = received.subarray(step.taken);
      if (step.send !== undefined) socket.write(step.send);
      if (step.end !== undefined) end(step.end === 'open' ? undefined : step.end);
    };
    const goOn = () => {
      for (let step = talk.next(received); step !== 'more'; step = talk.next(received)) take(step);
    };
    const listeners = {
      data: (bytes: Buffer) => {
        received = Buffer.concat([received, bytes]);
        goOn();
      },
      end: broken,
      error: broken,
      close: broken,
    };
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
    limit.during(() => end('connect-timeout'));
    socket.write(Buffer.from([version, 1, methodOf(request)]));
  });
}

interface Step {
  /** So many bytes of the answer are read. */
  readonly taken: number;
  readonly send?: Buffer;
  readonly end?: 'open' | ProbeError;
}

/** The steps of the proxy's answers, one after the other. */
function conversation(request: SocksRequest, address: string) {
  const ask = Buffer.concat([
    Buffer.from([version, connectCommand, 0]),
    addressBytes(request.isLookedUpThere ? request.name : address),
    Buffer.from([request.port >> 8, request.port & 0xff]),
  ]);
  const first = request.user === undefined ? ask : passwordBytes(request);
  const steps: ((bytes: Buffer) => Step | 'more')[] = [
    ([said, method]) => stepOf(said === version && method === methodOf(request), first),
    ...(request.user === undefined ? [] : [([, status]: Buffer) => stepOf(status === 0, ask)]),
    connected,
  ];
  return {
    next: (bytes: Buffer): Step | 'more' => {
      const step = bytes.length < 2 ? 'more' : (steps[0]?.(bytes) ?? 'more');
      if (step !== 'more') steps.shift();
      return step;
    },
  };
}

const methodOf = ({ user }: SocksRequest): number => (user === undefined ? noAuthentication : byPassword);
const stepOf = (isGood: boolean, send: Buffer): Step => (isGood ? { taken: 2, send } : { taken: 2, end: 'connect' });

function connected(bytes: Buffer): Step | 'more' {
  const length = replyLength(bytes);
  const isWhole = length !== undefined && bytes.length >= length;
  if (!isWhole) return length === undefined && bytes.length > 4 ? { taken: 0, end: 'connect' } : 'more';
  const reply = bytes[1];
  return { taken: length, end: reply === 0 ? 'open' : reply === refusedReply ? 'refused' : 'connect' };
}

/** The address behind it is that of the connection, of which nothing is used. */
function replyLength(bytes: Buffer): number | undefined {
  const [, , , type, first = 0] = bytes;
  if (type === ofIPv4) return 10;
  if (type === ofIPv6) return 22;
  return type === ofName && bytes.length > 4 ? 7 + first : undefined;
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from([ofIPv4, ...address.split('.').map(Number)]);
  if (isIPv6(address)) return Buffer.from([ofIPv6, ...ipv6Bytes(address)]);
  const name = Buffer.from(address);
  return Buffer.concat([Buffer.from([ofName, name.length]), name]);
}

/** RFC 4291, section 2.2. */
function ipv6Bytes(address: string): readonly number[] {
  const [, before = address, ipv4] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  const last = ipv4?.split('.').map(Number) ?? [];
  const text = ipv4 === undefined ? address : `${before}0:0`;
  const [head = '', tail] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [from, to] = [groups(head), tail === undefined ? [] : groups(tail)];
  const all = [...from, ...Array.from({ length: 8 - from.length - to.length }, () => 0), ...to];
  const bytes = all.flatMap((group) => [group >> 8, group & 0xff]);
  return [...bytes.slice(0, 16 - last.length), ...last];
}

function passwordBytes({ user = '', password = '' }: SocksRequest): Buffer {
  const [name, word] = [Buffer.from(user), Buffer.from(password)];
  return Buffer.concat([Buffer.from([passwordVersion, name.length]), name, Buffer.from([word.length]), word]);
}
