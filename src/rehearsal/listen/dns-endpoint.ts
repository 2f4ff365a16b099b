import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import type { DnsAnswer, RecordType } from '../../host/host.ts';
import { type Authority, decodeQuestion, encodeAnswer, type Question } from './dns-answers.ts';
import { type Endpoint, listenOn, loopback, notToBeHad } from './loopback.ts';

export type Answering = (name: string, type: RecordType) => Promise<DnsAnswer>;
interface AnsweringAs {
  readonly answer: Answering;
  readonly authority: Authority | undefined;
}

/** RFC 1035, 2.3.4, for who does not say more; over TCP what two bytes of length can say. */
const longestBytes = { udp: 512, tcp: 65_535 } as const;

export interface DnsEndpoint extends Endpoint {
  /** Answers what comes in on that socket, too, and closes it with the rest. */
  takesDatagrams(socket: UdpSocket): void;
}

export interface DnsEndpointOptions {
  /** Any that is free, without it. */
  readonly port?: number;
  /** Where it answers for a zone of its own. */
  readonly authority?: Authority;
}

/** A name server over UDP and TCP on one port. What cannot be read gets no answer, and neither does what nobody answers in the cluster. */
export async function serveDns(
  answer: Answering,
  { port: wanted = 0, authority }: DnsEndpointOptions = {},
): Promise<DnsEndpoint> {
  const answering = { answer, authority };
  const connections = new Set<Socket>();
  const sockets: UdpSocket[] = [];
  const tcp = createServer((socket) => {
    connections.add(socket.once('close', () => connections.delete(socket)));
    socket.on('error', () => socket.destroy());
    overTcp(socket, answering);
  });
  const port = await listenOn(tcp, wanted);
  const takesDatagrams = (socket: UdpSocket) => {
    sockets.push(socket);
    overUdp(socket, answering);
  };
  const close = () => {
    tcp.close();
    for (const socket of sockets) socket.close();
    for (const socket of connections) socket.destroy();
  };
  try {
    takesDatagrams(await boundTo(port));
  } catch (error) {
    close();
    throw error;
  }
  return { port, takes: (connection) => void tcp.emit('connection', connection), takesDatagrams, close };
}

async function boundTo(port: number): Promise<UdpSocket> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', (cause) => reject(notToBeHad(port, cause)));
    socket.bind(port, loopback, resolve);
  });
  return socket;
}

function overUdp(socket: UdpSocket, answering: AnsweringAs): void {
  let isClosed = false;
  socket.once('close', () => {
    isClosed = true;
  });
  socket.on('message', (message, from) => {
    reply(message, answering, longestBytes.udp, (bytes) => {
      if (!isClosed) socket.send(bytes, from.port, from.address);
    });
  });
}

/** RFC 1035, 4.2.2: two bytes of length before each message. */
function overTcp(socket: Socket, answering: AnsweringAs): void {
  let received = Buffer.alloc(0);
  socket.on('data', (piece) => {
    received = Buffer.concat([received, piece]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      reply(received.subarray(2, end), answering, longestBytes.tcp, (bytes) => {
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

function reply(
  message: Buffer,
  { answer, authority }: AnsweringAs,
  longest: number,
  send: (bytes: Buffer) => void,
): void {
  const question = decodeQuestion(message);
  if (question === undefined) return;
  answer(question.name, question.type ?? 'A')
    .then((found) => {
      if (found.code !== 'TIMEOUT')
        send(encodeAnswer(question, asAsked(question, found), { longestBytes: longest, authority }));
    })
    // The cluster has ended meanwhile: silence, as from any name server that is gone.
    .catch(() => undefined);
}

/** For a type that has no records here only the code counts: whether there is such a name. */
function asAsked({ type }: Question, { code, records }: DnsAnswer): DnsAnswer {
  return { code, records: type === undefined ? [] : records };
}
