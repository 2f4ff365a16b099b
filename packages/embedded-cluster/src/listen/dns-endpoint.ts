import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import type { DnsAnswer, RecordType } from '../outside/dns.ts';
import { type Authority, decodeQuestion, encodeAnswer, type Question } from './dns-answers.ts';
import { type Endpoint, listenOn, loopback, portUnavailable } from './loopback.ts';

/** Answers a query for a name and a type. */
export type Resolve = (name: string, type: RecordType) => Promise<DnsAnswer>;
interface Responder {
  readonly resolve: Resolve;
  readonly authority: Authority | undefined;
}

/** Over UDP the limit of RFC 1035, 2.3.4, for clients without EDNS; over TCP what two bytes of length can express. */
const maximumBytes = { udp: 512, tcp: 65_535 } as const;

/** A client that says nothing (RFC 7766, 6.2.3: on the order of seconds), and how many may be there at once. */
const idleMilliseconds = 10_000;
const maximumConnections = 256;

export interface DnsEndpoint extends Endpoint {
  /** Also answers queries on that UDP socket, and closes it with the endpoint. */
  addSocket(socket: UdpSocket): void;
}

export interface DnsEndpointOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** For an authoritative server: its zone. */
  readonly authority?: Authority;
}

/**
 * Serves DNS over UDP and TCP on one port. Invalid messages, and queries that time out in the cluster, get no response.
 */
export async function serveDns(
  resolve: Resolve,
  { port: wanted = 0, authority }: DnsEndpointOptions = {},
): Promise<DnsEndpoint> {
  const responder = { resolve, authority };
  const connections = new Set<Socket>();
  const sockets: UdpSocket[] = [];
  const tcp = createServer((socket) => {
    connections.add(socket.once('close', () => connections.delete(socket)));
    socket.on('error', () => socket.destroy());
    overTcp(socket, responder);
  });
  tcp.maxConnections = maximumConnections;
  const port = await listenOn(tcp, wanted);
  const addSocket = (socket: UdpSocket) => {
    sockets.push(socket);
    overUdp(socket, responder);
  };
  const close = () => {
    tcp.close();
    for (const socket of sockets) socket.close();
    for (const socket of connections) socket.destroy();
  };
  try {
    addSocket(await bindUdp(port));
  } catch (error) {
    close();
    throw error;
  }
  return { port, accept: (connection) => void tcp.emit('connection', connection), addSocket, close };
}

async function bindUdp(port: number): Promise<UdpSocket> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', (cause) => reject(portUnavailable(port, cause)));
    socket.bind(port, loopback, resolve);
  });
  return socket;
}

function overUdp(socket: UdpSocket, responder: Responder): void {
  let isClosed = false;
  socket.once('close', () => {
    isClosed = true;
  });
  socket.on('message', (message, from) => {
    reply(message, responder, maximumBytes.udp, (bytes) => {
      if (!isClosed) socket.send(bytes, from.port, from.address);
    });
  });
}

/** Over TCP each message has two bytes of length before it (RFC 1035, 4.2.2). */
function overTcp(socket: Socket, responder: Responder): void {
  socket.setTimeout(idleMilliseconds, () => socket.destroy());
  let received = Buffer.alloc(0);
  socket.on('data', (piece) => {
    received = Buffer.concat([received, piece]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      reply(received.subarray(2, end), responder, maximumBytes.tcp, (bytes) => {
        if (socket.writable) socket.write(Buffer.concat([lengthOf(bytes), bytes]));
      });
      received = received.subarray(end);
    }
  });
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return length;
}

function reply(message: Buffer, { resolve, authority }: Responder, limit: number, send: (bytes: Buffer) => void): void {
  const question = decodeQuestion(message);
  if (question === undefined) return;
  resolve(question.name, question.type ?? 'A')
    .then((found) => {
      if (found.code !== 'TIMEOUT')
        send(encodeAnswer(question, withoutUnknownType(question, found), { maximumBytes: limit, authority }));
    })
    // The cluster has ended: no response, as from a name server that is down.
    .catch(() => undefined);
}

/** For a record type that the embedded cluster does not have, the answer says only whether the name exists. */
function withoutUnknownType({ type }: Question, { code, records }: DnsAnswer): DnsAnswer {
  return { code, records: type === undefined ? [] : records };
}
