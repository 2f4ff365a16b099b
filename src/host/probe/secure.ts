import { isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { trustSystemAuthorities } from '../authorities.ts';
import type { Verified } from './destination.ts';

type Tls = typeof import('node:tls');

let loaded: Tls | undefined;
/** By the PEM of their authorities; those of the system have none. */
const contexts = new Map<string | undefined, SecureContext>();

/** Loads what TLS needs before the first probe is timed, because loading takes longer than a probe. */
export async function prepareTls(ca?: string): Promise<void> {
  if (contexts.has(ca)) return;
  if (ca === undefined) await trustSystemAuthorities();
  loaded ??= await import('node:tls');
  // As with curl every certificate of the file is trusted, not only those that sign themselves.
  contexts.set(ca, loaded.createSecureContext({ allowPartialTrustChain: true, ...(ca === undefined ? {} : { ca }) }));
}

/** When the certificate of the server expires, epoch milliseconds. */
export function certificateEnd(socket: Socket): number | undefined {
  return (socket as import('node:tls').TLSSocket).getPeerX509Certificate()?.validToDate.getTime();
}

/** Starts a handshake that verifies the certificate, unless any is accepted; no session is resumed. */
export function secure(socket: Socket, { name, ca, insecure = false }: Verified): Socket {
  const secureContext = contexts.get(ca);
  if (loaded === undefined || secureContext === undefined) throw new Error('prepareTls was not awaited');
  return loaded.connect({
    socket,
    host: name,
    ALPNProtocols: ['http/1.1'],
    secureContext,
    rejectUnauthorized: !insecure,
    ...(isIP(name) === 0 ? { servername: name } : {}),
  });
}
