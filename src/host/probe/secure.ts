import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { trustSystemAuthorities } from '../authorities.ts';
import type { Destination } from './destination.ts';

type Tls = typeof import('node:tls');

let loaded: { readonly tls: Tls; readonly context: SecureContext } | undefined;

/** Loads what TLS needs before the first probe is timed, because loading takes longer than a probe. */
export async function prepareTls(): Promise<void> {
  if (loaded !== undefined) return;
  await trustSystemAuthorities();
  const tls = await import('node:tls');
  loaded ??= { tls, context: tls.createSecureContext() };
}

/** Starts a handshake that verifies the certificate by the system's authorities; no session is resumed. */
export function secure(socket: Socket, to: Destination): Socket {
  if (loaded === undefined) throw new Error('prepareTls was not awaited');
  return loaded.tls.connect({
    socket,
    host: to.name,
    ALPNProtocols: ['http/1.1'],
    secureContext: loaded.context,
    ...(to.isAddress ? {} : { servername: to.name }),
  });
}
