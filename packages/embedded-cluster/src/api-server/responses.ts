import type { ApiError, StatusDetails } from '../kubernetes/cluster.ts';
import { textOf } from '../objects/json.ts';
import type { HttpResponse } from '../outside/http.ts';

/** meta/v1 Status. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

const encoder = new TextEncoder();

/** A response of JSON. Its text is made only if it is read as text. */
export function jsonResponse(
  status: number,
  { json, text = () => textOf(json()) }: JsonBody,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  return { ...textResponse(status, text, headers), json };
}

export interface JsonBody {
  readonly json: () => object;
  /** A faster way to the text than `JSON.stringify`, if there is one. */
  readonly text?: () => string;
}

/** A complete response. Its text is made when it is read. */
export function textResponse(
  status: number,
  text: () => string,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  return {
    status,
    headers,
    text: async () => text(),
    chunks: async function* () {
      yield encoder.encode(text());
    },
    discard: () => {},
  };
}

/** A streaming response; `stop` is called when the reader leaves it. */
export function streamResponse(
  pieces: AsyncGenerator<string>,
  stop: () => void,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  return {
    status: 200,
    headers,
    text: async () => (await Array.fromAsync(pieces)).join(''),
    chunks: async function* () {
      try {
        for await (const piece of pieces) yield encoder.encode(piece);
      } finally {
        stop();
      }
    },
    discard: stop,
  };
}

/** The Status of an error. */
export function failure({ answer, reason, details, status }: ApiError): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: answer,
    ...(reason !== '' && { reason }),
    ...(details !== undefined && { details }),
    code: status,
  };
}

/** The Status of a success. */
export function success(details?: StatusDetails): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    ...(details !== undefined && { details }),
  };
}
