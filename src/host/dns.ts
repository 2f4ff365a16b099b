import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { getServers } from 'node:dns';
import { connect, isIPv6 } from 'node:net';
import { type DnsMessage, decodeAnswer, encodeQuery } from './dns-message.ts';
import type { DnsAnswer, DnsQuery, RecordType } from './host.ts';

/** resolv.conf(5): 5 seconds an attempt, 2 attempts. */
const attemptSeconds = 5;
const attempts = 2;
const dnsPort = 53;

interface Server {
  readonly address: string;
  readonly port: number;
}

/**
 * Queries one name server (the one given, else the system's first) over UDP, and over TCP if the response is truncated.
 * The records have their TTLs, aliases before their targets. No response is `TIMEOUT`; any failure code but NXDOMAIN is
 * `SERVFAIL`.
 */
export async function resolve(query: DnsQuery): Promise<DnsAnswer> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const answer = await askServer(query, attemptSeconds);
    if (answer !== undefined) return { code: answer.code, records: answer.records };
  }
  return { code: 'TIMEOUT', records: [] };
}

/** Asks once; undefined without an answer in that time. */
export function askServer(query: DnsQuery, seconds: number): Promise<DnsMessage | undefined> {
  return ask(serverOf(query.server ?? getServers()[0] ?? '127.0.0.1'), query, seconds);
}

function serverOf(text: string): Server {
  if (isIPv6(text)) return { address: text, port: dnsPort };
  const { hostname, port } = new URL(`dns://${text}`);
  return { address: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? dnsPort : Number(port) };
}

async function ask(server: Server, query: DnsQuery, seconds: number): Promise<DnsMessage | undefined> {
  const id = randomInt(0x10000);
  const question = encodeQuery(id, query.name, query.type);
  const accept: Accept = (bytes) => accepted(bytes, id, query.type);
  const answer = await overUdp(server, question, accept, seconds);
  return answer?.truncated ? overTcp(server, question, accept, seconds) : answer;
}

type Accept = (bytes: Buffer) => DnsMessage | undefined;

/** A response with another id is ignored. */
function accepted(bytes: Buffer, id: number, type: RecordType): DnsMessage | undefined {
  const answer = decodeAnswer(bytes, type);
  return answer?.id === id ? answer : undefined;
}

function overUdp(server: Server, question: Buffer, accept: Accept, seconds: number): Promise<DnsMessage | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
    const finish = (answer?: DnsMessage) => {
      clearTimeout(timer);
      socket.close();
      resolve(answer);
    };
    const timer = setTimeout(finish, seconds * 1000);
    socket.once('error', () => finish());
    socket.on('message', (bytes) => {
      const answer = accept(bytes);
      if (answer !== undefined) finish(answer);
    });
    // Not as a callback of `connect`, which would be called on an error too.
    socket.once('connect', () => socket.send(question));
    socket.connect(server.port, server.address);
  });
}

/** RFC 1035, section 4.2.2: two bytes of length before each message. */
function overTcp(server: Server, question: Buffer, accept: Accept, seconds: number): Promise<DnsMessage | undefined> {
  return new Promise((resolve) => {
    const socket = connect(server.port, server.address);
    let received = Buffer.alloc(0);
    const finish = (answer?: DnsMessage) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(finish, seconds * 1000);
    socket.once('error', () => finish());
    socket.once('close', () => finish());
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      if (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) finish(accept(received.subarray(2)));
    });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(question.length);
    socket.write(Buffer.concat([length, question]));
  });
}
