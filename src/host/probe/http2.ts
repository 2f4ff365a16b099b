import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ProbeError } from '../host.ts';
import { codeOf } from '../system-error.ts';
import type { Deadline } from './deadline.ts';
import { bodyBeginning, type Exchange, mostReadBytes } from './exchange.ts';
import type { Http2Request } from './http2-request.ts';

let loaded: typeof import('node:http2') | undefined;

/** Loads HTTP/2 before the first probe is timed. */
export async function prepareHttp2(): Promise<void> {
  loaded ??= await import('node:http2');
}

/**
 * Whether the server chose HTTP/2. Without TLS it was not asked: whoever wants HTTP/2 knows that the server speaks it
 * (RFC 9113, section 3.3).
 */
export const speaksHttp2 = (socket: Socket): boolean =>
  !('alpnProtocol' in socket) || (socket as TLSSocket).alpnProtocol === 'h2';

/** Begins HTTP/2 on a connection. */
export function http2Session(socket: Socket, origin: string): ClientHttp2Session {
  if (loaded === undefined) throw new Error('prepareHttp2 was not awaited');
  const session = loaded.connect(origin, { createConnection: () => socket });
  return session.on('error', () => {});
}

/** Sends the request and reads the response to its end. The caller keeps or destroys the session. */
export function overHttp2(
  session: ClientHttp2Session,
  { headers, data }: Http2Request,
  bodyBytes: number,
  limit: Deadline,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const begun = performance.now();
    const beginning = bodyBeginning(bodyBytes);
    let [head, firstByte]: [IncomingHttpHeaders, number | undefined] = [{}, undefined];
    let isOver = false;
    const finish = (error?: ProbeError, unread = false) => {
      if (isOver) return;
      isOver = true;
      resolve({
        ...answerOf(head, error),
        ...(firstByte === undefined ? {} : { firstByte }),
        body: beginning.bytes,
        unread,
      });
    };
    const broken = (error?: unknown) => finish(kindOfBreak(head, error));
    const stream = begin(session, headers, data);
    if (stream === undefined) return broken();
    stream.on('response', (received) => {
      firstByte = (performance.now() - begun) / 1000;
      head = received;
    });
    stream.on('data', (bytes: Buffer) => {
      beginning.take(bytes);
      if (beginning.length() > mostReadBytes) finish(undefined, true);
    });
    stream.on('end', () => (head[':status'] === undefined ? broken() : finish()));
    stream.on('error', broken);
    session.once('error', broken);
    stream.on('close', () => {
      session.off('error', broken);
      broken();
    });
    limit.during(() => {
      finish('timeout');
      session.destroy();
    });
  });
}

function answerOf(head: IncomingHttpHeaders, error: ProbeError | undefined) {
  return {
    status: Number(head[':status'] ?? 0),
    location: head.location,
    ...(error === undefined ? {} : { error }),
    keepsAlive: error === undefined,
    codings: codingsIn(head),
  };
}

/** Undefined where the session was closed meanwhile. */
function begin(
  session: ClientHttp2Session,
  headers: Http2Request['headers'],
  data: string | undefined,
): ClientHttp2Stream | undefined {
  try {
    const stream = session.request({ ...headers } as OutgoingHttpHeaders, { endStream: data === undefined });
    return data === undefined ? stream : stream.end(data);
  } catch {
    return undefined;
  }
}

const codingsIn = ({ 'content-encoding': text = '' }: IncomingHttpHeaders): readonly string[] =>
  text.split(',').map((coding) => coding.trim().toLowerCase());

/** As of HTTP/1.1; what is no HTTP/2 is `protocol`. */
function kindOfBreak(head: IncomingHttpHeaders, error: unknown): ProbeError {
  if (head[':status'] !== undefined) return 'body';
  return codeOf(error) === 'ERR_HTTP2_ERROR' ? 'protocol' : 'reset';
}

/** The idle sessions of the `reused` probes. They do not keep the process alive. */
export interface KeptSessions {
  /** Takes the origin's session out; undefined if there is none or the peer has closed it. */
  readonly take: (origin: string) => ClientHttp2Session | undefined;
  readonly keep: (origin: string, session: ClientHttp2Session) => void;
}

export function keptSessions(): KeptSessions {
  const idle = new Map<string, ClientHttp2Session>();
  return {
    take: (origin) => {
      const session = idle.get(origin);
      idle.delete(origin);
      if (session === undefined || session.closed || session.destroyed) return undefined;
      session.ref();
      return session;
    },
    keep: (origin, session) => {
      idle.get(origin)?.destroy();
      idle.set(origin, session);
      session.unref();
    },
  };
}
