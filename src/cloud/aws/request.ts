import { OperationError } from '../../host/errors.ts';
import type { Host, HttpRequest } from '../../host/host.ts';
import { errorOf } from './xml.ts';

/** How requests reach AWS. */
export interface AwsAccess {
  /** Returns the headers that sign a request; absent: requests are not signed, as for a test endpoint. */
  readonly sign?: Sign;
  /** Replaces the services' own addresses. */
  readonly endpoints?: Readonly<Partial<Record<AwsService, string>>>;
}
export type AwsService = 'ec2' | 'route53';
export type Sign = (
  request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>,
  scope: { readonly service: AwsService; readonly region: string; readonly at: number },
) => Promise<Readonly<Record<string, string>>>;

export interface AwsRequest extends Pick<HttpRequest, 'method' | 'body' | 'headers'> {
  readonly service: AwsService;
  readonly region: string;
  /** Path and query. */
  readonly path: string;
  /** For errors: the operation of the API and its object. */
  readonly tried: string;
  readonly on: string;
}

/** The XML of the response, and its status. */
export interface AwsAnswer {
  readonly status: number;
  readonly xml: string;
}

/** Twice the three attempts of the SDK's standard mode, because an undo depends on the request. */
const retryAfterSeconds = [1, 2, 4, 8, 16];
/** The SDK has no limit for a whole attempt by default; a run must go on. */
const timeoutSeconds = 30;
/** The retryable errors of the SDK's standard mode, and Route 53's own. */
const passing = /Throttl|RequestLimitExceeded|TooManyRequests|SlowDown|PriorRequestNotComplete|RequestTimeout/;

/**
 * Sends the request, and retries while AWS is busy. Any other refusal is returned; no answer is an `OperationError`.
 */
export async function ask(
  host: Pick<Host, 'http' | 'clock'>,
  access: AwsAccess,
  request: AwsRequest,
): Promise<AwsAnswer> {
  for (const seconds of retryAfterSeconds) {
    const answer = await send(host, access, request);
    if (answer.status < 400 || (answer.status < 500 && !passing.test(answer.xml))) return answer;
    await host.clock.sleep(seconds);
  }
  return send(host, access, request);
}

async function send(
  { http, clock }: Pick<Host, 'http' | 'clock'>,
  access: AwsAccess,
  request: AwsRequest,
): Promise<AwsAnswer> {
  const { service, region, method, path, body } = request;
  const url = `${access.endpoints?.[service] ?? endpointOf(service, region)}${path}`;
  const unsigned = { method, url, headers: request.headers ?? {}, ...(body === undefined ? {} : { body }) };
  const signed = await access.sign?.(unsigned, { service, region, at: clock.wallAt() }).catch(noCredentials);
  const late = new AbortController();
  const done = new AbortController();
  clock.sleep(timeoutSeconds, done.signal).then(
    () => late.abort(silence(request)),
    () => undefined,
  );
  try {
    const headers = { ...unsigned.headers, ...signed };
    const response = await http({ ...unsigned, headers, timeoutSeconds }, late.signal);
    return { status: response.status, xml: await response.text() };
  } finally {
    done.abort('answered');
  }
}

/** The request's own limit ends with the head of the response, but the body may hang as well. */
function silence({ tried, on }: AwsRequest): OperationError {
  return new OperationError({ tried, on, reason: `no answer within ${timeoutSeconds} s` });
}

/** The SDK's errors name the places where it looked, and no secret. */
function noCredentials(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const next = 'See whether aws sts get-caller-identity works here';
  throw new OperationError({ tried: 'Signing', on: 'a request to AWS', reason, next }, { cause });
}

/** Route 53 is one service for the whole partition. */
function endpointOf(service: AwsService, region: string): string {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return service === 'route53' ? `https://route53.${domain}` : `https://ec2.${region}.${domain}`;
}

/** A refusal with AWS's own code and message, or with the beginning of an answer that has neither. */
export function refused({ tried, on }: Pick<AwsRequest, 'tried' | 'on'>, { status, xml }: AwsAnswer): OperationError {
  const { code, message } = errorOf(xml);
  const words = [code, message].filter((word) => word !== '').join(': ');
  return new OperationError({ tried, on, reason: `${status} ${words === '' ? unread(xml) : words}` });
}

/** An error's first line is enough to tell a proxy's page from AWS. */
const shownCharacters = 200;

function unread(body: string): string {
  const text = body.replace(/\s+/g, ' ').trim();
  return text === ''
    ? 'with an empty answer'
    : `with an answer that is no error of AWS: ${text.slice(0, shownCharacters)}`;
}
