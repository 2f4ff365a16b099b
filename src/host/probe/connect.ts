import { connect as connectTcp, type OnReadOpts, type Socket } from 'node:net';
import { OperationError } from '../errors.ts';
import type { Phases, ProbeError } from '../host.ts';
import { codeOf, isOwnTrouble } from '../system-error.ts';
import type { Deadline } from './deadline.ts';
import type { Destination } from './destination.ts';
import { lookUp } from './look-up.ts';
import { secure } from './secure.ts';

export interface Connected {
  readonly socket?: Socket;
  readonly error?: ProbeError;
  /** The phases that were completed. */
  readonly phases: Phases;
}

/**
 * A new name look-up and a new connection to its first address. A look-up that takes too long is `dns`, a connection that
 * does `connect-timeout`, a handshake `timeout`, so that the log names the hop that did not answer. With `onread`, a connection without TLS reads into its buffer and has no
 * `data` events.
 */
export async function connect(to: Destination, limit: Deadline, onread?: OnReadOpts): Promise<Connected> {
  const begun = performance.now();
  const address = to.isAddress ? to.name : await addressOf(to, limit);
  if (address === undefined) return { error: 'dns', phases: {} };
  const lookedUp = performance.now();
  const dns = to.isAddress ? {} : { dns: (lookedUp - begun) / 1000 };
  const reading = to.secure || onread === undefined ? {} : { onread };
  const tcp = connectTcp({ host: address, port: to.port, autoSelectFamily: false, ...reading });
  const refused = await ready(tcp, 'connect', limit);
  if (refused !== undefined) return { error: kindOfConnect(refused, to), phases: dns };
  const connectedAt = performance.now();
  const phases = { ...dns, connect: (connectedAt - lookedUp) / 1000 };
  if (!to.secure) return { socket: tcp, phases };
  const tls = secure(tcp, to);
  const broken = await ready(tls, 'secureConnect', limit);
  if (broken !== undefined) return { error: limit.expired() ? 'timeout' : 'tls', phases };
  return { socket: tls, phases: { ...phases, tls: (performance.now() - connectedAt) / 1000 } };
}

async function addressOf(to: Destination, limit: Deadline): Promise<string | undefined> {
  const late = new Promise<undefined>((resolve) => limit.during(() => resolve(undefined)));
  const answer = await Promise.race([lookUp(to.name), late]);
  if (answer === undefined || 'failed' in answer) return undefined;
  if ('short' in answer) throw ownTrouble(to, answer.short);
  return answer.address;
}

/** Undefined if the socket is ready, else the error; the socket is then destroyed. */
function ready(socket: Socket, event: 'connect' | 'secureConnect', limit: Deadline): Promise<unknown> {
  return new Promise((resolve) => {
    const fail = (error: unknown) => {
      socket.destroy();
      resolve(error);
    };
    const done = () => {
      socket.off('close', fail);
      resolve(undefined);
    };
    socket.once(event, done);
    socket.on('error', fail);
    socket.once('close', fail);
    limit.during(() => fail('late'));
  });
}

const connectErrors: Readonly<Record<string, ProbeError>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ETIMEDOUT: 'connect-timeout',
};

function kindOfConnect(error: unknown, to: Destination): ProbeError {
  if (error === 'late') return 'connect-timeout';
  const code = codeOf(error) ?? '';
  if (isOwnTrouble(error)) throw ownTrouble(to, code, error);
  return connectErrors[code] ?? 'connect';
}

function ownTrouble({ name, port }: Destination, code: string, cause?: unknown): OperationError {
  const failure = { tried: 'Connecting to', on: `${name}:${port}`, reason: `this machine could not (${code})` };
  return new OperationError(failure, { cause });
}
