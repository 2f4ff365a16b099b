import { connect } from 'node:net';
import { OperationError } from './errors.ts';
import type { Host } from './host.ts';
import { systemError } from './system-error.ts';

/** More than any answer that is asked for in this way; a peer that talks for ever is cut off. */
const MAXIMUM_BYTES = 16 * 1024 * 1024;

/** Sends the bytes to a socket and gives back all that comes until the other side closes it. No whole answer is an `OperationError`. */
export const exchange: Host['exchange'] = ({ address, bytes, timeoutSeconds }) =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const socket = connect(endpoint(address));
    const fail = (reason: string) => socket.destroy(new OperationError({ tried: 'Asking', on: address, reason }));
    const timer = setTimeout(() => fail(`no whole answer within ${timeoutSeconds} s`), timeoutSeconds * 1000);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received > MAXIMUM_BYTES) fail(`more than ${MAXIMUM_BYTES} bytes`);
    });
    socket.on('error', (cause) => reject(systemError('Asking', address, cause)));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    });
    socket.write(bytes);
  });

/** `/run/php/fpm.sock`, `127.0.0.1:9000`, `[::1]:9000` or a port of this machine alone, as php-fpm's `listen` writes them. */
function endpoint(address: string): { readonly path: string } | { readonly host: string; readonly port: number } {
  if (address.startsWith('/')) return { path: address };
  const colon = address.lastIndexOf(':');
  const host = colon < 0 ? '' : address.slice(0, colon).replace(/^\[|\]$/g, '');
  return { host: host === '' ? '127.0.0.1' : host, port: Number(address.slice(colon + 1)) };
}
