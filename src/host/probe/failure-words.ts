import type { ProbeError } from '../host.ts';
import type { TlsReason } from './tls-reason.ts';

const ofTls: Readonly<Record<TlsReason, string>> = {
  expired: 'its certificate has expired',
  'not-yet-valid': 'its certificate is not valid yet',
  name: 'its certificate is for another name',
  authority: 'its certificate is of an authority that is not trusted',
  handshake: 'the TLS handshake failed',
};

/** Why there was no answer, for people. `reason` is that of the probe's sample. */
export function failureWords(error: ProbeError, limitSeconds: number, reason?: string): string {
  const words: Readonly<Record<ProbeError, string>> = {
    dns: `its name has no address${reason === undefined ? '' : ` (${reason})`}`,
    refused: 'the connection was refused',
    'connect-timeout': `no connection within ${limitSeconds} s`,
    connect: 'no connection could be made',
    tls: ofTls[reason as TlsReason] ?? ofTls.handshake,
    reset: 'the connection ended before an answer',
    protocol: 'the answer is not HTTP',
    timeout: `no answer within ${limitSeconds} s`,
    body: 'the body broke off',
  };
  return words[error];
}
