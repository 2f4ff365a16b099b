import { OperationError } from '../../src/host/errors.ts';
import type { Clock, Host, HttpRequest, HttpResponse } from '../../src/host/host.ts';

/** How a request fails; `lost`: it was carried out, and its response was lost. */
export const apiFaults = ['409', '410', '429', '500', '503', 'hang', 'lost', 'dropped', '401'] as const;
export const cloudFaults = ['500', 'throttled', 'hang', 'lost', 'dropped'] as const;
export type FaultName = (typeof apiFaults)[number] | (typeof cloudFaults)[number] | '403';

type Http = Host['http'];
interface Faulty {
  readonly clock: Clock;
  readonly http: Http;
}

/** A request that fails, and how. */
export function withFault(name: FaultName, host: Faulty): Http {
  return async (request, signal) => {
    const strange = strangeness[name];
    if (strange !== undefined) return strange(host, request, signal);
    const code = Number(name);
    return answer(code, isCloud(request) ? '<Error><Code>InternalFailure</Code></Error>' : status(code));
  };
}

type Strange = (host: Faulty, ...asked: Parameters<Http>) => Promise<HttpResponse>;

/** The failures that are more than a response with a status. */
const strangeness: Readonly<Partial<Record<FaultName, Strange>>> = {
  '410': async (_, request) =>
    isWatch(request) ? answer(200, { type: 'ERROR', object: status(410) }) : answer(410, status(410)),
  hang: ({ clock }, request, signal) => hang(clock, request, signal),
  lost: async ({ clock, http }, request, signal) => {
    (await http(request, signal)).discard();
    return hang(clock, request, signal);
  },
  dropped: async ({ http }, request, signal) => (isWatch(request) ? torn(await http(request, signal)) : reset(request)),
  throttled: async () => answer(503, '<Response><Errors><Error><Code>Throttling</Code></Error></Errors></Response>'),
};

export const isWatch = ({ url }: HttpRequest): boolean => /[?&]watch=true/.test(url);
export const isCloud = ({ url }: HttpRequest): boolean => url.includes('amazonaws.com');
/** Whether the request may change something. */
export const isWrite = ({ method, url, body = '' }: HttpRequest): boolean =>
  method !== 'GET' && !url.includes('dryRun=All') && !url.includes('selfsubject') && !/Action=Describe/.test(body);

const reasons: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

function status(code: number): object {
  const reason = reasons[code] ?? '';
  const details = code === 429 ? { details: { retryAfterSeconds: 1 } } : {};
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason,
    message: reason,
    ...details,
  };
}

function answer(code: number, body: object | string): HttpResponse {
  const text = typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;
  return {
    status: code,
    headers: code === 429 ? { 'retry-after': '1' } : {},
    text: async () => text,
    chunks: async function* () {
      yield new TextEncoder().encode(text);
    },
    discard: () => {},
  };
}

/** Ends as `host.http` does: by the request's timeout or the caller's signal. */
async function hang(clock: Clock, request: HttpRequest, signal: AbortSignal | undefined): Promise<never> {
  const { timeoutSeconds = 30 } = request;
  await clock.sleep(timeoutSeconds, signal);
  throw noAnswer(request, `no answer within ${timeoutSeconds} s`);
}

const reset = (request: HttpRequest): Promise<never> => Promise.reject(noAnswer(request, 'read ECONNRESET'));

function noAnswer({ method, url }: HttpRequest, reason: string): OperationError {
  return new OperationError({ tried: method, on: url, reason });
}

/** The connection breaks within the first event. */
function torn(response: HttpResponse): HttpResponse {
  return {
    ...response,
    chunks: async function* () {
      for await (const chunk of response.chunks()) {
        yield chunk.subarray(0, chunk.length / 2);
        return;
      }
    },
  };
}
