import { connect } from 'node:net';
import { OperationError } from './errors.ts';
import type { Host } from './host.ts';
import { systemError } from './system-error.ts';

/** More than any response to such a request; a peer that sends more is cut off. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Sends the bytes and resolves with everything received until the other side closes or the response is complete. An
 * incomplete response is an `OperationError`.
 */
export const exchange: Host['exchange'] = ({ address, bytes, timeoutSeconds, isComplete, signal }) =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const socket = connect(endpoint(address));
    const fail = (reason: string) => socket.destroy(new OperationError({ tried: 'Asking', on: address, reason }));
    const giveUp = () => fail('it was given up');
    if (signal?.aborted) giveUp();
    signal?.addEventListener('abort', giveUp);
    const timer = setTimeout(() => fail(`no complete answer within ${timeoutSeconds} s`), timeoutSeconds * 1000);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received > mostBytes) fail(`more than ${mostBytes} bytes`);
      else if (isComplete?.(Buffer.concat(chunks))) socket.destroy();
    });
    socket.on('error', (cause) => reject(systemError('Asking', address, cause)));
    socket.on('close', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      const all = Buffer.concat(chunks);
      if (isComplete === undefined || isComplete(all)) resolve(all);
      else
        reject(
          new OperationError({ tried: 'Asking', on: address, reason: 'it closed before its answer was complete' }),
        );
    });
    socket.write(bytes);
  });

/**
 * `/run/php/fpm.sock`, `127.0.0.1:9000`, `[::1]:9000`, or only a port of this machine: the notation of php-fpm's
 * `listen`.
 */
function endpoint(address: string): { readonly path: string } | { readonly host: string; readonly port: number } {
  if (address.startsWith('/')) return { path: address };
  const colon = address.lastIndexOf(':');
  const host = colon < 0 ? '' : address.slice(0, colon).replace(/^\[|\]$/g, '');
  return { host: host === '' ? '127.0.0.1' : host, port: Number(address.slice(colon + 1)) };
}
