import { isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { trustSystemAuthorities } from '../authorities.ts';
import type { Verified } from './destination.ts';

type Tls = typeof import('node:tls');

let loaded: Tls | undefined;
/** By what they rest on: the PEM of their authorities, and the client's own certificate. */
const contexts = new Map<string, SecureContext>();

type Trust = Pick<Verified, 'ca' | 'identity'>;
const keyOf = ({ ca, identity }: Trust): string =>
  identity === undefined ? (ca ?? '') : JSON.stringify([ca, identity.cert, identity.key]);

/**
 * Loads what TLS needs before the first probe is timed, because loading takes longer than a probe. A certificate that
 * OpenSSL does not take is a `UsageError`.
 */
export async function prepareTls(trust: Trust = {}): Promise<void> {
  const key = keyOf(trust);
  if (contexts.has(key)) return;
  const { ca, identity } = trust;
  if (ca === undefined) await trustSystemAuthorities();
  loaded ??= await import('node:tls');
  // As with curl every certificate of the file is trusted, not only those that sign themselves.
  contexts.set(
    key,
    loaded.createSecureContext({ allowPartialTrustChain: true, ...(ca === undefined ? {} : { ca }), ...identity }),
  );
}

/** When a certificate ends. */
export interface CertificateEnd {
  /** Epoch milliseconds. */
  readonly endsAt: number;
  /** Whose it is, where it is not the server's own. */
  readonly of?: string;
}

/** More certificates than any chain has. */
const longestChain = 10;

/** The first end of all certificates of the chain: that of an authority makes the server's own worthless too. */
export function certificateEnd(socket: Socket, server: string): CertificateEnd | undefined {
  let certificate = (socket as import('node:tls').TLSSocket).getPeerX509Certificate();
  let first: CertificateEnd | undefined;
  for (let length = 0; certificate !== undefined && length < longestChain; length++) {
    const endsAt = certificate.validToDate.getTime();
    const of = length === 0 ? {} : { of: nameOf(certificate.subject) ?? server };
    if (first === undefined || endsAt < first.endsAt) first = { endsAt, ...of };
    certificate = certificate.issuerCertificate;
  }
  return first;
}

/** The common name, or else the organisation. */
const nameOf = (subject: string): string | undefined =>
  /^CN=(.+)$/m.exec(subject)?.[1] ?? /^O=(.+)$/m.exec(subject)?.[1];

/** Starts a handshake that verifies the certificate, unless any is accepted; no session is resumed. */
export function secure(socket: Socket, { name, ca, identity, insecure = false, http2 = false }: Verified): Socket {
  const secureContext = contexts.get(
    keyOf({ ...(ca === undefined ? {} : { ca }), ...(identity === undefined ? {} : { identity }) }),
  );
  if (loaded === undefined || secureContext === undefined) throw new Error('prepareTls was not awaited');
  return loaded.connect({
    socket,
    host: name,
    ALPNProtocols: http2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    secureContext,
    rejectUnauthorized: !insecure,
    ...(isIP(name) === 0 ? { servername: name } : {}),
  });
}
