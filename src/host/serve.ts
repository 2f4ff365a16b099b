import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemError } from './system-error.ts';

/**
 * A request has to be complete within 10 s, also one that comes byte by byte; Node looks every second. Its body is
 * never read. A page of the dashboard keeps one connection for its events, and a browser opens six.
 */
const limits = { requestTimeout: 10_000, headersTimeout: 10_000, connectionsCheckingInterval: 1000 };
const maximumConnections = 256;

export interface Page {
  readonly type: string;
  /** Pieces are sent as they come. */
  readonly body: string | AsyncIterable<string>;
  /** 200 without it. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
/** What was asked for besides the path. */
export interface Asked {
  /** The `Host` header: by which name the client believes to know this server; empty without one. */
  readonly host: string;
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal;
}
export interface Served {
  /** The one that was asked for, or the one that was free where 0 was. */
  readonly port: number;
  readonly close: () => void;
  /**
   * Resolves when the server is closed. Rejects when a page could not be made; its client gets a 500, and the server
   * goes on.
   */
  readonly ended: Promise<void>;
}

/**
 * Answers each GET on that address with its page, or with 404 if there is none. An address that cannot be listened on
 * is an `OperationError`.
 */
export async function serve(
  { host, port }: { readonly host: string; readonly port: number },
  page: MakePage,
): Promise<Served> {
  const ended = Promise.withResolvers<void>();
  // A rejection of `ended` that no caller awaits must not end the process.
  ended.promise.catch(() => undefined);
  const server = createServer(limits, (request, response) => {
    answer(request, response, page).catch((error) => {
      fail(response);
      ended.reject(error);
    });
  });
  server.maxConnections = maximumConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(systemError('Listening on', `${host}:${port}`, cause)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close(() => ended.resolve());
    },
    ended: ended.promise,
  };
}

type MakePage = (path: string, asked: Asked) => Page | undefined | Promise<Page | undefined>;

async function answer(request: IncomingMessage, response: ServerResponse, page: MakePage): Promise<void> {
  // Node would read the body of a request to keep the connection.
  if (hasBody(request)) response.setHeader('connection', 'close');
  const found = request.method === 'GET' ? await page(request.url ?? '/', asked(request, response)) : undefined;
  await send(response, found ?? { type: 'text/plain', body: 'nothing here\n', status: 404 });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function asked({ headers }: IncomingMessage, response: ServerResponse): Asked {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  return { host: headers.host ?? '', gone: leaving.signal };
}

/** The head goes with the first piece: until then it can still be a 500. */
async function send(response: ServerResponse, { type, body, status = 200, headers }: Page): Promise<void> {
  response.statusCode = status;
  response.setHeaders(new Map(Object.entries({ ...headers, 'content-type': type })));
  if (typeof body === 'string') response.end(body);
  else await sendPieces(response, body);
}

/** No faster than the client reads; one that goes away in between ends it. */
async function sendPieces(response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    if (response.closed) return;
    if (!response.write(piece)) await drained(response);
  }
  response.end();
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const goOn = (): void => {
      response.off('drain', goOn).off('close', goOn);
      resolve();
    };
    response.on('drain', goOn).on('close', goOn);
  });

/** After the head was sent the status cannot change, so the connection is closed. */
function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { 'content-type': 'text/plain' }).end('this page could not be made\n');
}
