import type { ConnectionUse, Phases, Probe, ProbeError, Sample, Target } from '../host.ts';
import { connect } from './connect.ts';
import { type Deadline, deadline } from './deadline.ts';
import { type Destination, destination } from './destination.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type KeptConnections, keptConnections } from './kept-connections.ts';
import { prepareTls } from './secure.ts';
import { visibleText } from './visible-text.ts';

/**
 * An HTTP/1.1 client for one GET whose body is read to its end. `new` looks up the name and connects for each probe; `reused` keeps one
 * connection a target and opens another when it is closed. No request is retried, no redirect followed. A probe that this machine could not
 * make (no file descriptor, port or memory left) rejects, because it says nothing about the target.
 */
export function prober(): Probe {
  const kept = keptConnections();
  const destinations = new Map<string, Destination>();
  return async (target, connection, timeoutSeconds) => {
    const to = destinations.get(target.url) ?? destination(target.url);
    destinations.set(target.url, to);
    if (to.secure) await prepareTls();
    const at = Date.now();
    const begun = performance.now();
    const limit = deadline(timeoutSeconds);
    try {
      const { phases, ...outcome } = await request(target.url, to, connection, { kept, limit });
      return { at, seconds: (performance.now() - begun) / 1000, connection, phases, ...verdict(target, outcome) };
    } finally {
      limit.clear();
    }
  };
}

interface Outcome {
  readonly phases: Phases;
  /** The error instead of a connection. */
  readonly error?: ProbeError;
  readonly answer?: Exchange;
}

async function request(
  url: string,
  to: Destination,
  connection: ConnectionUse,
  { kept, limit }: { readonly kept: KeptConnections; readonly limit: Deadline },
): Promise<Outcome> {
  const idle = connection === 'reused' ? kept.take(url) : undefined;
  const { socket, error, phases } = idle === undefined ? await connect(to, limit) : { socket: idle, phases: {} };
  if (socket === undefined) return error === undefined ? { phases } : { phases, error };
  const answer = await exchange(socket, to.request[connection], limit);
  if (connection === 'reused' && answer.keepsAlive) kept.keep(url, socket);
  else socket.destroy();
  return { answer, phases: answer.firstByte === undefined ? phases : { ...phases, firstByte: answer.firstByte } };
}

function verdict(
  target: Target,
  { error, answer }: Omit<Outcome, 'phases'>,
): Pick<Sample, 'status' | 'error' | 'bodyMatched'> {
  if (answer === undefined) return { status: 0, error: error ?? 'connect' };
  if (answer.error !== undefined) return { status: answer.status, error: answer.error };
  if (target.body === undefined) return { status: answer.status };
  return { status: answer.status, bodyMatched: visibleText(answer.body()).startsWith(visibleText(target.body)) };
}
