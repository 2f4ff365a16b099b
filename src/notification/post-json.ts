import { OperationError } from '../host/errors.ts';
import type { Host, HttpResponse } from '../host/host.ts';
import { withCredentials } from '../host/probe/basic-credentials.ts';
import { totalSeconds } from './notifier.ts';

/** The timeout of one attempt, as Flagger and Deployer have it for Slack. */
const attemptSeconds = 5;
const attempts = 3;
/** Between attempts if the response has no Retry-After. */
const pauseSeconds = 1;

/**
 * POSTs JSON to an address that may be a secret. The body of the response is not read. After no answer, a 5xx, or a 429
 * (after its Retry-After) the request is repeated within the limit; any other status but a 2xx is final.
 */
export async function postJson(
  host: Pick<Host, 'http' | 'clock'>,
  what: string,
  url: string,
  value: unknown,
): Promise<void> {
  const startedSeconds = host.clock.monotonicSeconds();
  const left = () => totalSeconds - (host.clock.monotonicSeconds() - startedSeconds);
  for (let attempt = 1; ; attempt++) {
    const result = await once(host, url, JSON.stringify(value), Math.min(attemptSeconds, left()));
    if (result.done) return;
    const pause = result.retryAfterSeconds ?? pauseSeconds;
    if (!result.passing || attempt === attempts || pause >= left()) {
      throw new OperationError({ tried: 'Sending a message to', on: what, reason: result.reason });
    }
    await host.clock.sleep(pause);
  }
}

type Attempt =
  | { readonly done: true }
  | { readonly done: false; readonly passing: boolean; readonly reason: string; readonly retryAfterSeconds?: number };

async function once(host: Pick<Host, 'http'>, url: string, body: string, timeoutSeconds: number): Promise<Attempt> {
  try {
    const { url: bare, headers: credentials } = withCredentials(url);
    const headers = { 'Content-type': 'application/json', ...credentials };
    const response = await host.http({ method: 'POST', url: bare, headers, body, timeoutSeconds });
    response.discard();
    return attemptOf(response);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { done: false, passing: true, reason: error.failure.reason };
  }
}

function attemptOf({ status, headers }: HttpResponse): Attempt {
  if (status >= 200 && status < 300) return { done: true };
  const reason = `status ${status}`;
  const retryAfter = Number(headers['retry-after']);
  if (status === 429 && retryAfter >= 0) return { done: false, passing: true, reason, retryAfterSeconds: retryAfter };
  return { done: false, passing: status === 429 || status >= 500, reason };
}
