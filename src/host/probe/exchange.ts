import type { Socket } from 'node:net';
import type { ProbeError } from '../host.ts';
import type { Sink } from './body-framing.ts';
import type { Deadline } from './deadline.ts';
import { type ResponseReader, responseReader } from './response-reader.ts';

/** The outcome of one request on a connection. */
export interface Exchange {
  /** 0 if no status was read. */
  readonly status: number;
  readonly error?: ProbeError;
  /** Seconds from the request to the first byte of an answer. */
  readonly firstByte?: number;
  readonly keepsAlive: boolean;
  /** Where a redirect leads. */
  readonly location: string | undefined;
  /** The body's beginning, as it came. */
  readonly body: () => Buffer;
  /** How it is encoded (RFC 9110, section 8.4). */
  readonly codings: readonly string[];
  /** Whether the body is longer than what is read of one. */
  readonly unread: boolean;
}

/** An endless body would keep the other probes of this process waiting. */
export const mostReadBytes = 1024 * 1024;

export interface Sent {
  readonly method: string;
  readonly text: string;
  /** So much of the body is kept. */
  readonly bodyBytes: number;
}

/** Sends the request and reads the response to its end. The caller keeps or destroys the socket. */
export function exchange(socket: Socket, { method, text, bodyBytes }: Sent, limit: Deadline): Promise<Exchange> {
  return new Promise((resolve) => {
    const begun = performance.now();
    const beginning = bodyBeginning(bodyBytes);
    const reader = responseReader(beginning.take, method);
    let firstByte: number | undefined;
    const finish = (error?: ProbeError, unread = false) => {
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
      resolve({
        status: reader.status(),
        location: reader.location(),
        ...(error === undefined ? {} : { error }),
        ...(firstByte === undefined ? {} : { firstByte }),
        keepsAlive: error === undefined && reader.keepsAlive() && !unread,
        body: beginning.bytes,
        codings: reader.codings(),
        unread,
      });
    };
    const listeners = {
      data: (bytes: Buffer) => {
        firstByte ??= (performance.now() - begun) / 1000;
        const progress = reader.push(bytes);
        if (progress === 'broken') finish(brokenAt(reader));
        else if (progress === 'complete') finish();
        else if (beginning.length() > mostReadBytes) finish(undefined, true);
      },
      end: () => finish(reader.closed() === 'complete' ? undefined : cutOff(reader)),
      error: (error: NodeJS.ErrnoException) => finish(kindOfBreak(error.code, cutOff(reader))),
      close: () => finish(cutOff(reader)),
    };
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
    limit.during(() => finish('timeout'));
    socket.write(text);
  });
}

/**
 * With TLS 1.3 a server refuses a client's certificate, or that there is none, only when the handshake is over for the
 * client (RFC 8446, section 4.4.2.4).
 */
export function kindOfBreak(code: string | undefined, otherwise: ProbeError): ProbeError {
  if (code === 'ETIMEDOUT') return 'timeout';
  return otherwise === 'reset' && code?.startsWith('ERR_SSL_') ? 'tls' : otherwise;
}

/** The bytes that came are no HTTP, or no body that HTTP allows. */
export const brokenAt = (reader: Pick<ResponseReader, 'status'>): ProbeError =>
  reader.status() === 0 ? 'protocol' : 'body';

/** Without a status there was no answer; with one, the body is incomplete. */
export function cutOff(reader: Pick<ResponseReader, 'status'>): ProbeError {
  return reader.status() === 0 ? 'reset' : 'body';
}

/**
 * Counts the bytes of a body and keeps the first of them, which are enough to see whether it is the right page; the
 * rest is read and dropped.
 */
export function bodyBeginning(mostKeptBytes: number): {
  readonly take: Sink;
  readonly bytes: () => Buffer;
  readonly length: () => number;
} {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let length = 0;
  return {
    take: (bytes) => {
      length += bytes.length;
      if (keptBytes >= mostKeptBytes) return;
      kept.push(bytes.subarray(0, mostKeptBytes - keptBytes));
      keptBytes += bytes.length;
    },
    bytes: () => Buffer.concat(kept),
    length: () => length,
  };
}
