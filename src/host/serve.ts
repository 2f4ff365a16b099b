import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemError } from './system-error.ts';

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
}

/** Answers each GET on that address with its page, and what has none with 404. An address that is not to be had is an `OperationError`. */
export async function serve(
  { host, port }: { readonly host: string; readonly port: number },
  page: (path: string, asked: Asked) => Page | undefined | Promise<Page | undefined>,
): Promise<Served> {
  const server = createServer(async (request, response) => {
    const found = request.method === 'GET' ? await page(request.url ?? '/', asked(request, response)) : undefined;
    await send(response, found ?? { type: 'text/plain', body: 'nothing here\n', status: 404 });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(systemError('Listening on', `${host}:${port}`, cause)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function asked({ headers }: IncomingMessage, response: ServerResponse): Asked {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  return { host: headers.host ?? '', gone: leaving.signal };
}

async function send(response: ServerResponse, { type, body, status = 200, headers }: Page): Promise<void> {
  response.writeHead(status, { ...headers, 'content-type': type });
  if (typeof body === 'string') response.end(body);
  else await sendPieces(response, body);
}

/** No faster than the client reads; one that goes away in between ends it. */
async function sendPieces(response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    if (response.closed) return;
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}
