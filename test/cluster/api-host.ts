import type { VirtualClock } from '@holdfast/embedded-cluster';
import {
  type ApiServer,
  type ApiServerOptions,
  createApiServer,
} from '../../packages/embedded-cluster/src/api-server/api-server.ts';
import { randomStreams } from '../../packages/embedded-cluster/src/outside/random.ts';
import { virtualClock } from '../../packages/embedded-cluster/src/time/clock.ts';
import { OperationError } from '../../src/host/errors.ts';
import type { Host, HttpRequest, HttpResponse } from '../../src/host/host.ts';

/**
 * What happens to one request on its way. `slow`: it reaches the server so many seconds later. `reset`: the connection
 * breaks so many seconds after the answer's head. `cut`: the connection ends in the middle of that piece of the body,
 * with or without a word.
 */
export type Fault =
  | { readonly kind: 'refused' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'slow' | 'reset'; readonly seconds: number }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly text?: string;
      readonly headers?: Record<string, string>;
      readonly afterSeconds?: number;
    }
  | { readonly kind: 'cut'; readonly after: number; readonly quietly: boolean }
  | { readonly kind: 'silent'; readonly after: number }
  | { readonly kind: 'lossy'; readonly piece: number };

export interface ApiHost {
  readonly clock: VirtualClock;
  readonly server: ApiServer;
  readonly host: Pick<Host, 'http' | 'clock'>;
  readonly requests: HttpRequest[];
  /** Asked for every request, in order from 0. */
  fault: (request: HttpRequest, index: number) => Fault | undefined;
}

/** An API server behind a `host.http` that keeps the host's promises about timeouts and signals, in virtual time. */
export function apiHost(options: Partial<ApiServerOptions> = {}): ApiHost {
  const clock = virtualClock(Date.parse('2026-11-20T10:00:00Z'), { stallTimeoutSeconds: 5 });
  const server = createApiServer({ clock, random: randomStreams('1'), ...options });
  const it: ApiHost = { clock, server, host: { clock, http }, requests: [], fault: () => undefined };
  async function http(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
    signal?.throwIfAborted();
    const fault = it.fault(request, it.requests.push(request) - 1);
    await clock.sleep(0.001, signal);
    await onItsWay(clock, request, fault, signal);
    if (fault?.kind === 'answer') return canned(fault);
    const broken = new AbortController();
    if (fault?.kind === 'reset') void clock.sleep(fault.seconds).then(() => broken.abort('reset'));
    const response = await server.handle(request, AbortSignal.any([broken.signal, ...(signal ? [signal] : [])]));
    return { ...response, chunks: () => carried(clock, request, response, fault, signal) };
  }
  return it;
}

/** Until the request reaches the server, if it does. */
async function onItsWay(
  clock: VirtualClock,
  request: HttpRequest,
  fault: Fault | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (fault?.kind === 'refused') throw failure(request, 'connection refused', connectionRefused);
  if (fault?.kind === 'slow') await clock.sleep(fault.seconds, signal);
  if (fault?.kind === 'answer') await clock.sleep(fault.afterSeconds ?? 0, signal);
  if (fault?.kind !== 'hang') return;
  await clock.sleep(request.timeoutSeconds ?? 600, signal);
  throw failure(request, `no answer in ${request.timeoutSeconds} s`);
}

function canned({ status, text = '', headers = {} }: Extract<Fault, { kind: 'answer' }>): HttpResponse {
  return {
    status,
    headers,
    text: async () => text,
    chunks: async function* () {
      yield new TextEncoder().encode(text);
    },
    discard: () => {},
  };
}

/** The pieces of a body as a fault lets them through. */
async function* carried(
  clock: VirtualClock,
  request: HttpRequest,
  response: HttpResponse,
  fault: Fault | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  yield* fault === undefined ? response.chunks() : through(fault, response.chunks());
  signal?.throwIfAborted();
  if (fault?.kind === 'reset' || (fault?.kind === 'cut' && !fault.quietly)) throw failure(request, 'connection reset');
  if (fault?.kind === 'silent') await clock.sleep(86_400, signal);
}

async function* through(fault: Fault, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { last, torn, lost } = pieces(fault);
  let piece = 0;
  for await (const chunk of last === 0 ? [] : chunks) {
    piece += 1;
    if (piece !== lost) yield piece === torn ? chunk.subarray(0, chunk.length / 2) : chunk;
    if (piece === last) return;
  }
}

/** The numbers of the pieces, from 1, that a fault is about. */
function pieces(fault: Fault): { readonly last?: number; readonly torn?: number; readonly lost?: number } {
  if (fault.kind === 'cut') return { last: fault.after, torn: fault.after };
  if (fault.kind === 'silent') return { last: fault.after };
  return fault.kind === 'lossy' ? { lost: fault.piece } : {};
}

/** As connect(2) has it. */
const connectionRefused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

function failure({ method, url }: HttpRequest, reason: string, cause?: Error): OperationError {
  return new OperationError({ tried: method, on: url, reason }, { cause });
}
