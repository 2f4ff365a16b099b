import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemError } from './system-error.ts';

export interface Page {
  readonly type: string;
  readonly body: string;
  /** 200 without it. */
  readonly status?: number;
}
export interface Served {
  /** The one that was asked for, or the one that was free where 0 was. */
  readonly port: number;
  readonly close: () => void;
}

/** Answers each GET on that address with its page, and what has none with 404. An address that is not to be had is an `OperationError`. */
export async function serve(
  { host, port }: { readonly host: string; readonly port: number },
  page: (path: string) => Page | undefined | Promise<Page | undefined>,
): Promise<Served> {
  const server = createServer(async (request, response) => {
    const found = request.method === 'GET' ? await page(request.url ?? '/') : undefined;
    const { type, body, status = 200 } = found ?? { type: 'text/plain', body: 'nothing here\n', status: 404 };
    response.writeHead(status, { 'content-type': type }).end(body);
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
