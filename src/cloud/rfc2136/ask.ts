import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { readKeyFile, type TsigKey } from './key-file.ts';
import { encodeRequest, type Message, opcodes, type Request, readMessage, uint16 } from './message.ts';
import { distrust, sign } from './tsig.ts';

/** Which primary server is asked, and by which key. */
export interface NameServerAccess {
  /** A name or an address, with a port if it is not 53. */
  readonly server: string;
  /** The path of a key file as `tsig-keygen` writes it; it is read for each request. */
  readonly keyFile: string;
}

/** As long as two attempts of resolv.conf(5). */
const timeoutSeconds = 10;
const noError = 0;
const noSuchName = 3;

/** RFC 1035, section 4.1.1, and RFC 2136, section 2.2: what a code means here, and what to do next. */
const refusals: Readonly<Record<number, { readonly reason: string; readonly next?: string }>> = {
  1: { reason: 'FORMERR: it could not read the request' },
  2: { reason: 'SERVFAIL: it failed', next: 'see the log of the name server' },
  4: { reason: 'NOTIMP: it takes no dynamic updates' },
  5: { reason: 'REFUSED', next: 'allow the key in update-policy or allow-update of the zone' },
  6: { reason: 'YXDOMAIN: the name is there, and should not be' },
  7: { reason: 'YXRRSET: the record is there already: somebody has created it meanwhile' },
  8: { reason: 'NXRRSET: the record is not there as it was read: somebody has changed it meanwhile' },
  9: {
    reason: 'NOTAUTH: it is no authority for the zone, or does not accept the key',
    next: 'name the primary server and its key',
  },
  10: { reason: 'NOTZONE: the name is not in the zone' },
};

type Asking = Pick<Host, 'exchange' | 'clock' | 'random' | 'files'>;

/**
 * One signed request over TCP and its response, whose signature was verified. No response or a refusal is an
 * `OperationError`; a name that does not exist is none.
 */
export async function ask(host: Asking, access: NameServerAccess, request: Omit<Request, 'id'>): Promise<Message> {
  const failure = {
    tried: request.opcode === opcodes.update ? 'Updating' : 'Querying',
    on: `${request.question.name} at ${access.server}`,
  };
  const key = await readKey(host, access);
  const id = Math.floor(host.random('dns')() * 0x1_0000);
  const seconds = () => Math.floor(host.clock.wallAt() / 1000);
  const { bytes, mac } = sign(encodeRequest({ id, ...request }), key, seconds());
  const response = await exchange(host, access.server, bytes);
  const message = parsed(response);
  if (message === undefined || message.id !== id)
    throw new OperationError({ ...failure, reason: 'the response is no DNS message to this request' });
  const because = distrust(response, key, mac, seconds());
  const refusal = refusals[message.code];
  // A server that knows the key signs its refusal too.
  if (because !== undefined)
    throw new OperationError({
      ...failure,
      reason: refusal === undefined ? because : `${refusal.reason}; ${because}`,
      next: `compare ${access.keyFile} with the key of the server, and the clocks`,
    });
  if (message.code === noError || (message.code === noSuchName && request.opcode === opcodes.query)) return message;
  throw new OperationError({ ...failure, ...(refusal ?? { reason: `response code ${message.code}` }) });
}

/** RFC 1035, section 4.2.2: two bytes of length before each message. Resolves with the message alone. */
export async function exchange(host: Pick<Host, 'exchange'>, server: string, message: Buffer): Promise<Buffer> {
  const received = await host.exchange({
    address: withPort(server),
    bytes: Buffer.concat([uint16(message.length), message]),
    timeoutSeconds,
    isComplete: (bytes) => bytes.length >= 2 && bytes.length >= 2 + Buffer.from(bytes).readUInt16BE(0),
  });
  return Buffer.from(received).subarray(2);
}

/** `host:port` of a server; a bare address of IPv6 has colons too. */
function withPort(server: string): string {
  if (/^\[.*\]:\d+$|^[^:]+:\d+$/.test(server)) return server;
  return server.includes(':') && !server.startsWith('[') ? `[${server}]:53` : `${server}:53`;
}

function parsed(response: Buffer): Message | undefined {
  try {
    return readMessage(response);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

async function readKey(host: Pick<Host, 'files'>, { keyFile }: NameServerAccess): Promise<TsigKey> {
  const failure = { tried: 'Reading the key', on: keyFile, next: 'write it with tsig-keygen, readable by this user' };
  const text = await host.files.read(keyFile);
  if (text === undefined) throw new OperationError({ ...failure, reason: 'there is no such file' });
  const key = readKeyFile(text);
  if (typeof key === 'string') throw new OperationError({ ...failure, reason: key });
  return key;
}
