import type { Socket } from 'node:net';
import { UsageError } from '../errors.ts';
import type { HttpResponse, ProbeError } from '../host.ts';
import { noAnswer, reasonOf, textOf } from '../no-answer.ts';
import { connect } from './connect.ts';
import { type Deadline, deadline } from './deadline.ts';
import { type Destination, destination, httpAddress } from './destination.ts';
import { incomingAnswer } from './incoming-answer.ts';
import { prepareTls } from './secure.ts';
import type { Target } from './target.ts';
import type { TlsReason } from './tls-reason.ts';

/**
 * Asks an address as a probe on a new connection does, and gives the answer as it comes, so that the same is asked
 * wherever the options of a target are given. Any of its addresses is connected to. No redirect is followed. The limit
 * is for the head of the answer; no answer is an `OperationError`.
 */
export async function page(target: Target, limitSeconds: number, signal?: AbortSignal): Promise<HttpResponse> {
  const { url } = target;
  const to = wayTo(target);
  const { method } = to;
  if (to.tls !== undefined) await prepareTls(to.tls);
  const limit = deadline(limitSeconds);
  const expire = () => limit.expire();
  signal?.addEventListener('abort', expire, { once: true });
  const failed = (error: ProbeError, reason?: string) => {
    signal?.throwIfAborted();
    const way = to.proxied ? ' (by the proxy)' : '';
    return noAnswer({ method, url }, failureWords(error, limitSeconds, reason) + way);
  };
  try {
    const { socket, error = 'connect', reason, unresolved } = await connect(to, limit);
    if (socket === undefined) throw failed(error, reason ?? (await unresolved?.(limit.leftSeconds())));
    return await answerOn(socket, to, { limit, failed, request: { method, url }, signal });
  } finally {
    limit.clear();
    signal?.removeEventListener('abort', expire);
  }
}

/** A proxy of the environment that cannot be gone by is no mistake of this caller. */
function wayTo({ url, headers = [], ...target }: Target): Destination {
  try {
    const to = destination({ url: httpAddress(url), headers }, target);
    return { ...to, peer: { ...to.peer, any: true } };
  } catch (error) {
    if (error instanceof UsageError) throw noAnswer({ method: 'GET', url }, error.mistakes.join(' '), error);
    throw error;
  }
}

interface Asking {
  readonly limit: Deadline;
  readonly failed: (error: ProbeError) => Error;
  readonly request: { readonly method: string; readonly url: string };
  readonly signal: AbortSignal | undefined;
}

async function answerOn(socket: Socket, to: Destination, asking: Asking): Promise<HttpResponse> {
  const { limit, failed, request, signal } = asking;
  const answer = incomingAnswer(socket, to.method);
  const end = () => void socket.destroy();
  limit.during(end);
  socket.write(to.request.new);
  const trouble = await answer.head();
  if (trouble !== undefined) {
    end();
    throw failed(limit.expired() ? 'timeout' : trouble);
  }
  limit.during(() => {});
  signal?.addEventListener('abort', end, { once: true });
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* answer.body();
    } catch (cause) {
      signal?.throwIfAborted();
      throw noAnswer(request, `the body broke off: ${reasonOf(cause)}`, cause);
    } finally {
      end();
    }
  };
  return {
    status: answer.status(),
    headers: answer.headers(),
    chunks,
    text: () => textOf(chunks()),
    discard: end,
  };
}

const ofTls: Readonly<Record<TlsReason, string>> = {
  expired: 'its certificate has expired',
  'not-yet-valid': 'its certificate is not valid yet',
  name: 'its certificate is for another name',
  authority: 'its certificate is of an authority that is not trusted',
  alpn: 'it speaks no HTTP/1.1',
  handshake: 'the TLS handshake failed',
};

/** Why there was no answer, for people. `reason` is that of the probe's sample. */
function failureWords(error: ProbeError, limitSeconds: number, reason?: string): string {
  const words: Readonly<Record<ProbeError, string>> = {
    dns: `its name has no address${reason === undefined ? '' : ` (${reason})`}`,
    refused: 'the connection was refused',
    'connect-timeout': `no connection within ${limitSeconds} s`,
    connect: 'no connection could be made',
    tls: ofTls[reason as TlsReason] ?? ofTls.handshake,
    reset: 'the connection ended before an answer',
    protocol: 'the answer is not HTTP',
    timeout: `no answer within ${limitSeconds} s`,
    body: 'the body broke off',
  };
  return words[error];
}
