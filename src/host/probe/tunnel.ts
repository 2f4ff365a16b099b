import type { Socket } from 'node:net';
import type { ProbeError } from '../host.ts';
import type { Deadline } from './deadline.ts';

/** More than any proxy answers to CONNECT. */
const mostBytes = 16 * 1024;

/**
 * Asks a proxy for a connection through it. A proxy that gives none within the time is `connect-timeout`, one that
 * gives none at all `connect`.
 */
export function openTunnel(socket: Socket, request: string, limit: Deadline): Promise<ProbeError | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const end = (error?: ProbeError) => {
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
      if (error !== undefined) socket.on('error', () => {}).destroy();
      resolve(error);
    };
    const refused = () => end('connect');
    const listeners = {
      data: (bytes: Buffer) => {
        answer += bytes.toString('latin1');
        if (answer.length > mostBytes) refused();
        else if (answer.includes('\r\n\r\n'))
          end(/^HTTP\/1\.[01] 2\d\d(?![^ \r\n])/.test(answer) ? undefined : 'connect');
      },
      end: refused,
      error: refused,
      close: refused,
    };
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
    limit.during(() => end('connect-timeout'));
    socket.write(request);
  });
}
