import type { Socket } from 'node:net';
import type { LoadResult } from '../../src/host/host.ts';

/** What the server does with one request. */
export const behaviours = [
  'good',
  'in pieces',
  'unavailable',
  'last',
  'until the end',
  'reset',
  'goodbye',
  'cut',
] as const;
export type Behaviour = (typeof behaviours)[number];

/** A server's side of a load: what it does with each request, and the counts that an honest client then has. */
export interface ScriptedServer {
  readonly accept: (socket: Socket) => void;
  readonly seen: () => number;
  readonly made: () => Pick<LoadResult, 'statuses' | 'errors'>;
}

/** Does one of these for each request, in the order of the requests. */
export function scriptedServer(script: readonly Behaviour[]): ScriptedServer {
  let seen = 0;
  const statuses: Record<string, number> = {};
  const errors: Record<string, number> = {};
  const count = (counts: Record<string, number>, what: number | string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const meet = (socket: Socket, isFirst: boolean) => {
    const behaviour = script[seen] ?? 'good';
    seen += 1;
    const error = { reset: 'reset', cut: 'body', goodbye: isFirst ? 'reset' : 'closed' }[behaviour as string];
    if (error === undefined) count(statuses, behaviour === 'unavailable' ? 503 : 200);
    else count(errors, error);
    act[behaviour](socket);
  };
  return {
    accept: (socket) => {
      let [text, requests] = ['', 0];
      socket.on('error', () => {});
      socket.on('data', (bytes: Buffer) => {
        text += bytes.toString('latin1');
        if (!text.endsWith('\r\n\r\n')) return;
        text = '';
        requests += 1;
        meet(socket, requests === 1);
      });
    },
    seen: () => seen,
    made: () => ({ statuses, errors }),
  };
}

const act: Readonly<Record<Behaviour, (socket: Socket) => void>> = {
  good: (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nwelcome'),
  'in pieces': (socket) =>
    inPieces(socket, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nwel\r\n4;x\r\ncome\r\n0\r\n\r\n'),
  unavailable: (socket) => socket.write('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n'),
  last: (socket) => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
  'until the end': (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nwelcome'),
  reset: (socket) => socket.resetAndDestroy(),
  goodbye: (socket) => socket.end(),
  cut: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nwel'),
};

/** A byte or a few at a time, each in a packet of its own. */
function inPieces(socket: Socket, text: string): void {
  const size = 1 + (text.length % 11);
  socket.setNoDelay(true);
  const send = (from: number) => {
    socket.write(text.slice(from, from + size));
    if (from + size < text.length) setImmediate(send, from + size);
  };
  send(0);
}
